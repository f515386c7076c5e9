"""The sections of the configuration, one model each: their keys, what is allowed there, and the defaults."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from metrics.clickhouse.dsn import Dsn
from metrics.clickhouse.errors import DsnError
from metrics.figures.thresholds import Thresholds
from perturbations.planning.design import Design
from perturbations.rows import ROWS

RULES = "rules"
"""The rewriter and the validator that come with evenhand."""

_SERVER = re.compile(r"([^\s:/,\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")

_FROZEN = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class KafkaSettings(BaseModel):
    """Where Kafka is and how the topics are laid out. TLS and SASL settings are passed through to the client."""

    model_config = _FROZEN

    bootstrap_servers: str = "127.0.0.1:9092"
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] | None = None
    sasl_username: str | None = None
    sasl_password: SecretStr | None = None
    ssl_cafile: Path | None = None
    ssl_certfile: Path | None = None
    ssl_keyfile: Path | None = None
    topic_prefix: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{0,100}$")] = ""
    partitions: Annotated[int, Field(ge=1)] = 4
    replication_factor: Annotated[int, Field(ge=1)] = 1
    max_message_bytes: Annotated[int, Field(ge=100_000)] = 10_000_000
    group: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$")] = "evenhand"
    rebalance_timeout_seconds: Annotated[float, Field(gt=0)] = 30.0
    session_timeout_seconds: Annotated[float, Field(gt=0)] = 30.0
    heartbeat_seconds: Annotated[float, Field(gt=0)] = 3.0

    @field_validator("bootstrap_servers")
    @classmethod
    def _are_addresses(cls, servers: str) -> str:
        if not all(_SERVER.fullmatch(server.strip()) for server in servers.split(",")):
            raise ValueError("must be host:port, or several with commas between them")
        return servers


class ClickHouseSettings(BaseModel):
    """Where ClickHouse is: a server, a cluster, or `evenhand store`. The password comes from the environment."""

    model_config = _FROZEN

    dsn: SecretStr = SecretStr("clickhouse://default@127.0.0.1:8123/default")
    retention_days: Annotated[int, Field(ge=1)] | None = None

    @field_validator("dsn")
    @classmethod
    def _is_a_dsn(cls, dsn: SecretStr) -> SecretStr:
        try:
            Dsn(dsn.get_secret_value())
        except DsnError as error:
            raise ValueError(str(error)) from None
        return dsn


class SamplingSettings(BaseModel):
    """Which transcripts, rows and arms are evaluated, and how often the original is repeated.

    `rows_per_transcript` and `arms_per_row` draw that many rows, and attributes of each row without the original, for
    each transcript; all where they aren't set. `placebo_rate` is the share of the sampled transcripts whose arms are
    drawn a second time.
    """

    model_config = _FROZEN

    rate: Annotated[float, Field(ge=0, le=1)] = 0.05
    rows: tuple[str, ...] | None = None
    rows_per_transcript: Annotated[int, Field(ge=1)] | None = None
    arms_per_row: Annotated[int, Field(ge=2)] | None = None
    repeats: Annotated[int, Field(ge=1, le=20)] = 2
    placebo_rate: Annotated[float, Field(ge=0, le=1)] = 0.25
    max_transcript_bytes: Annotated[int, Field(ge=1_000)] = 1_000_000

    @property
    def chosen_rows(self) -> tuple[str, ...]:
        """The rows in the order of their table; all where none are chosen."""
        return tuple(name for name in ROWS if self.rows is None or name in self.rows)

    @property
    def design(self) -> Design:
        """Which arms a transcript gets."""
        return Design(self.rows_per_transcript, self.arms_per_row, self.placebo_rate)

    @field_validator("rows")
    @classmethod
    def _known(cls, rows: tuple[str, ...] | None) -> tuple[str, ...] | None:
        unknown = sorted(set(rows or ()) - set(ROWS))
        if unknown:
            raise ValueError(f"no such row: {', '.join(unknown)}; allowed: {', '.join(ROWS)}")
        return rows


class PerturbationSettings(BaseModel):
    """Files of names (CSV), cues (CSV) and headers (TOML) of one's own; what comes with evenhand where None.

    They have the form of the files in `perturbations/data/`. Names replace the groups that they name, headers the
    rows that they hold; a file of cues replaces all of its kind. `rewriter` and `validator` are `rules` or the NAME
    of a [judges.NAME], the LLM that is asked instead.
    """

    model_config = _FROZEN

    names: Path | None = None
    ethnicity_cues: Path | None = None
    religion_cues: Path | None = None
    disability_cues: Path | None = None
    headers: Path | None = None
    rewriter: Annotated[str, Field(min_length=1)] = RULES
    validator: Annotated[str, Field(min_length=1)] = RULES


class WorkerSettings(BaseModel):
    """How a worker works: batch sizes, its metrics port, and when it gives up."""

    model_config = _FROZEN

    metrics_port: Annotated[int, Field(ge=0, le=65535)] = 9464
    batch_evaluations: Annotated[int, Field(ge=1)] = 500
    batch_seconds: Annotated[float, Field(gt=0)] = 0.2
    sample_concurrency: Annotated[int, Field(ge=1)] = 64
    perturb_concurrency: Annotated[int, Field(ge=1)] = 8
    evaluate_concurrency: Annotated[int, Field(ge=1)] = 16
    outage_seconds: Annotated[float, Field(gt=0)] = 300.0
    dead_letter_share: Annotated[float, Field(gt=0, le=1)] = 0.5
    dead_letter_window: Annotated[int, Field(ge=10)] = 1000
    dead_letter_consecutive: Annotated[int, Field(ge=1)] = 200


class MetricsSettings(BaseModel):
    """When a figure is given at all, by which labels, and where the exporter answers.

    `precision` is the half width that is wanted for a CFR's interval, a ratio. An excess over placebos of at most
    `margin`, a ratio, counts as no effect. `label_keys` are the labels of transcripts by which figures may be
    grouped; any where it isn't set.
    """

    model_config = _FROZEN

    minimum_comparisons: Annotated[int, Field(ge=1)] = 50
    minimum_transcripts: Annotated[int, Field(ge=2)] = 20
    precision: Annotated[float, Field(gt=0, lt=1)] = 0.02
    margin: Annotated[float, Field(gt=0, lt=1)] = 0.02
    label_keys: tuple[str, ...] | None = None
    exporter_port: Annotated[int, Field(ge=0, le=65535)] = 9465

    @property
    def thresholds(self) -> Thresholds:
        """What a figure needs."""
        return Thresholds(
            comparisons=self.minimum_comparisons,
            transcripts=self.minimum_transcripts,
            precision=self.precision,
            margin=self.margin,
        )


class AnchorsSettings(BaseModel):
    """Transcripts that are judged again and again, to tell a changed judge from changed traffic.

    `file` holds them, a JSON object a line; without it there are none. `share` of the sampled transcripts bring one
    evaluation of an anchor with them.
    """

    model_config = _FROZEN

    file: Path | None = None
    share: Annotated[float, Field(ge=0, le=1)] = 0.05


class AlarmsSettings(BaseModel):
    """When an alarm is given.

    `alpha` is the probability of any false alarm of one kind, over all rows of a judge and however long one looks.
    `excess_limit` is how much CFR above the judge's own noise is acceptable, a ratio. They are looked for every
    `every_seconds`, or more rarely where that takes long.
    """

    model_config = _FROZEN

    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.001
    excess_limit: Annotated[float, Field(ge=0, lt=1)] = 0.02
    every_seconds: Annotated[float, Field(gt=0)] = 60.0
