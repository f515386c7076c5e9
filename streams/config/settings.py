"""The configuration: one TOML file, every key with an environment override, checked with clear errors.

See `streams.config.overrides` for how a variable is spelled. Secrets come from the environment alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from evaluators.judges.judge_config import JudgeConfig
from metrics.clickhouse.dsn import Dsn
from metrics.clickhouse.errors import DsnError
from perturbations.planning.design import Design
from perturbations.rows import ROWS
from streams.config.errors import SettingsError as SettingsError
from streams.config.keys import Steps, model_at
from streams.config.overrides import PREFIX as PREFIX
from streams.config.overrides import apply_overrides, unused_variables
from streams.config.perturbation_settings import PerturbationSettings
from streams.config.secrecy import refuse_open_secrets, refuse_secrets_in_file

DEFAULT_FILE = Path("evenhand.toml")

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
        """The configured rows, all by default, in the table's order."""
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

    `precision` is the half width that is wanted for a CFR's interval, a ratio. `label_keys` are the labels of
    transcripts by which figures may be grouped; any where it isn't set.
    """

    model_config = _FROZEN

    minimum_comparisons: Annotated[int, Field(ge=1)] = 50
    minimum_transcripts: Annotated[int, Field(ge=2)] = 20
    precision: Annotated[float, Field(gt=0, lt=1)] = 0.02
    label_keys: tuple[str, ...] | None = None
    exporter_port: Annotated[int, Field(ge=0, le=65535)] = 9465


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


class Settings(BaseModel):
    """The whole configuration; see each section."""

    model_config = _FROZEN

    seed: int = 7
    default_judge: str = "main"
    rubric: Path | None = None
    kafka: KafkaSettings = KafkaSettings()
    clickhouse: ClickHouseSettings = ClickHouseSettings()
    sampling: SamplingSettings = SamplingSettings()
    perturbations: PerturbationSettings = PerturbationSettings()
    worker: WorkerSettings = WorkerSettings()
    metrics: MetricsSettings = MetricsSettings()
    alarms: AlarmsSettings = AlarmsSettings()
    anchors: AnchorsSettings = AnchorsSettings()
    judges: dict[str, JudgeConfig] = Field(default_factory=dict)

    def judge_named(self, name: str | None) -> tuple[str, JudgeConfig]:
        """The judge of that name, or the default one. Raises SettingsError where there is none."""
        wanted = name or self.default_judge
        if wanted not in self.judges:
            known = ", ".join(self.judges) or "none"
            raise SettingsError(f"no judge {wanted!r}: add [judges.{wanted}] to the configuration (known: {known})")
        return wanted, self.judges[wanted]


def load_settings(file: Path | None, environment: Mapping[str, str]) -> Settings:
    """The settings of a TOML file (evenhand.toml if there is one) with the environment's overrides.

    Raises SettingsError: unreadable file, bad TOML, unknown key, bad value, a secret where none may be; each names
    the key or the variable and what is allowed.
    """
    path = file if file is not None else DEFAULT_FILE if DEFAULT_FILE.exists() else None
    data = {} if path is None else _read(path)
    refuse_secrets_in_file(data, path)
    set_by = apply_overrides(data, Settings, environment)
    return _validated(data, str(path) if path is not None else "the environment", set_by)


def settings_of(data: Mapping[str, Any]) -> Settings:
    """Settings from a mapping in the TOML file's form. Raises SettingsError."""
    return _validated(data, "the configuration", {})


def idle_variables(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """The variables that look like overrides and set no key."""
    return unused_variables(settings.model_dump(include={"judges"}), Settings, environment)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"can't read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not TOML: {error}") from None


def _validated(data: Mapping[str, Any], source: str, set_by: Mapping[Steps, str]) -> Settings:
    refuse_open_secrets(data)
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        problems_text = "; ".join(_problem(p["loc"], p["type"], p["msg"], set_by) for p in problems)
        raise SettingsError(f"{problems_text} ({source})") from None


def _problem(location: tuple[int | str, ...], kind: str, message: str, set_by: Mapping[Steps, str]) -> str:
    steps = tuple(str(step) for step in location)
    # A union's alternatives and a list's places come after the key's own steps.
    variables = (set_by[steps[:length]] for length in range(len(steps), 0, -1) if steps[:length] in set_by)
    key = next(variables, ".".join(steps) or "the configuration")
    if kind != "extra_forbidden":
        return f"{key}: {message.removeprefix('Value error, ')}"
    section = model_at(Settings, location[:-1])
    allowed = f"; allowed here: {', '.join(section.model_fields)}" if section is not None else ""
    return f"{key}: no such key{allowed}"
