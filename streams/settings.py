"""The configuration: one TOML file, every key with an environment override, checked with clear errors.

An override is the key's path in capitals, joined by underscores: `[kafka] bootstrap_servers` is
`EVENHAND_KAFKA_BOOTSTRAP_SERVERS`, `[judges.main] model` is `EVENHAND_JUDGES_MAIN_MODEL`. Lists are comma-separated.
Secrets come from the environment alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from evaluators.judge_config import JudgeConfig
from perturbations.rows import ROWS

PREFIX = "EVENHAND_"
DEFAULT_FILE = Path("evenhand.toml")

_FROZEN = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class SettingsError(Exception):
    """A configuration that can't be used: says which key, and what is allowed."""


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


class ClickHouseSettings(BaseModel):
    """Where ClickHouse is: a server, a cluster, or `evenhand store`. The password comes from the environment."""

    model_config = _FROZEN

    dsn: SecretStr = SecretStr("clickhouse://default@127.0.0.1:8123/default")
    retention_days: Annotated[int, Field(ge=1)] | None = None


class SamplingSettings(BaseModel):
    """Which transcripts and rows are evaluated, and how often the original is repeated."""

    model_config = _FROZEN

    rate: Annotated[float, Field(ge=0, le=1)] = 0.05
    rows: tuple[str, ...] | None = None
    repeats: Annotated[int, Field(ge=1, le=20)] = 2
    max_transcript_bytes: Annotated[int, Field(ge=1_000)] = 1_000_000

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
    """When a figure is given at all, and where the exporter answers."""

    model_config = _FROZEN

    minimum_comparisons: Annotated[int, Field(ge=1)] = 50
    minimum_transcripts: Annotated[int, Field(ge=2)] = 20
    exporter_port: Annotated[int, Field(ge=0, le=65535)] = 9465


class Settings(BaseModel):
    """The whole configuration; see each section."""

    model_config = _FROZEN

    seed: int = 7
    default_judge: str = "main"
    rubric: Path | None = None
    kafka: KafkaSettings = KafkaSettings()
    clickhouse: ClickHouseSettings = ClickHouseSettings()
    sampling: SamplingSettings = SamplingSettings()
    worker: WorkerSettings = WorkerSettings()
    metrics: MetricsSettings = MetricsSettings()
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

    Raises SettingsError: unreadable file, bad TOML, unknown key, bad value; each names the key and what is allowed.
    """
    data: dict[str, Any] = {}
    path = file if file is not None else DEFAULT_FILE if DEFAULT_FILE.exists() else None
    if path is not None:
        data = _read(path)
    _refuse_secrets(data, path)
    for name, value in sorted(environment.items()):
        if name.startswith(PREFIX):
            _override(data, Settings, name.removeprefix(PREFIX).lower(), value)
    return _validated(data, str(path) if path is not None else "the environment")


def settings_of(data: Mapping[str, Any]) -> Settings:
    """Settings from a mapping in the TOML file's form. Raises SettingsError."""
    return _validated(data, "the configuration")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"can't read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not TOML: {error}") from None


def _refuse_secrets(data: Mapping[str, Any], path: Path | None) -> None:
    kafka, clickhouse = data.get("kafka"), data.get("clickhouse")
    if isinstance(kafka, dict) and "sasl_password" in kafka:
        raise SettingsError(f"{path}: kafka.sasl_password is a secret: set {PREFIX}KAFKA_SASL_PASSWORD instead")
    dsn = clickhouse.get("dsn") if isinstance(clickhouse, dict) else None
    if isinstance(dsn, str) and "@" in dsn and ":" in dsn.split("://")[-1].rsplit("@", 1)[0]:
        raise SettingsError(
            f"{path}: clickhouse.dsn holds a password: set {PREFIX}CLICKHOUSE_DSN in the environment instead"
        )


def _validated(data: Mapping[str, Any], source: str) -> Settings:
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        raise SettingsError(
            "; ".join(_problem(p["loc"], p["type"], p["msg"]) for p in problems) + f" ({source})"
        ) from (None)


def _problem(location: tuple[int | str, ...], kind: str, message: str) -> str:
    key = ".".join(str(step) for step in location) or "the configuration"
    if kind != "extra_forbidden":
        return f"{key}: {message.removeprefix('Value error, ')}"
    section = _model_at(location[:-1])
    allowed = f"; allowed here: {', '.join(section.model_fields)}" if section is not None else ""
    return f"{key}: no such key{allowed}"


def _model_at(location: tuple[int | str, ...]) -> type[BaseModel] | None:
    model: Any = Settings
    for step in location:
        if isinstance(model, type) and issubclass(model, BaseModel):
            field = model.model_fields.get(str(step))
            model = field.annotation if field is not None else None
        elif get_origin(model) is dict:
            model = get_args(model)[1]
    return model if isinstance(model, type) and issubclass(model, BaseModel) else None


def _override(data: dict[str, Any], model: type[BaseModel], path: str, value: str) -> None:
    """Set the key that `path` (underscores between the steps) names; unknown first steps are others' variables."""
    for name, field in model.model_fields.items():
        if path == name:
            data[name] = value.split(",") if "tuple" in str(field.annotation) else value
            return
        if not path.startswith(f"{name}_"):
            continue
        rest = path.removeprefix(f"{name}_")
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            _section_override(data.setdefault(name, {}), section, rest, value, name)
            return
        if get_origin(section) is dict:
            _named_override(data.setdefault(name, {}), get_args(section)[1], rest, value, name)
            return


def _section_override(data: dict[str, Any], section: type[BaseModel], rest: str, value: str, name: str) -> None:
    if rest not in section.model_fields:
        variable = f"{PREFIX}{name}_{rest}".upper()
        raise SettingsError(f"{variable}: no such key; allowed in {name}: {', '.join(section.model_fields)}")
    _override(data, section, rest, value)


def _named_override(data: dict[str, Any], section: type[BaseModel], rest: str, value: str, name: str) -> None:
    # The name may itself hold underscores: the longest key that ends the path is the key.
    for key in sorted(section.model_fields, key=len, reverse=True):
        if rest.endswith(f"_{key}"):
            _override(data.setdefault(rest.removesuffix(f"_{key}"), {}), section, key, value)
            return
    variable = f"{PREFIX}{name}_{rest}".upper()
    raise SettingsError(f"{variable}: no such key; allowed in {name}.NAME: {', '.join(section.model_fields)}")
