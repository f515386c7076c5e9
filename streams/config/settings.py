"""The configuration: one TOML file, every key with an environment override, checked with clear errors.

See `streams.config.sections` for the keys and `streams.config.overrides` for how a variable is spelled. Secrets come
from the environment alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluators.judges.judge_config import JudgeConfig
from streams.config.errors import SettingsError
from streams.config.keys import KeyPath, model_at
from streams.config.overrides import apply_overrides, unused_variables
from streams.config.secrecy import refuse_open_secrets, refuse_secrets_in_file
from streams.config.sections import (
    AlarmsSettings,
    AnchorsSettings,
    ClickHouseSettings,
    KafkaSettings,
    MetricsSettings,
    PerturbationSettings,
    SamplingSettings,
    WorkerSettings,
)

DEFAULT_FILE = Path("evenhand.toml")


class Settings(BaseModel):
    """The whole configuration; see each section."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

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


def plain_settings(settings: Settings) -> dict[str, Any]:
    """The settings in the TOML file's form, without what isn't set, and without the password of Kafka alone.

    The address of ClickHouse is there with its password: not for other eyes.
    """
    plain: dict[str, Any] = settings.model_dump(mode="json", exclude_none=True, exclude={"kafka": {"sasl_password"}})
    plain["clickhouse"]["dsn"] = settings.clickhouse.dsn.get_secret_value()
    return plain


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


def _validated(data: Mapping[str, Any], source: str, set_by: Mapping[KeyPath, str]) -> Settings:
    refuse_open_secrets(data)
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        sentence = "; ".join(_problem(p["loc"], p["type"], p["msg"], set_by) for p in problems)
        raise SettingsError(f"{sentence} ({source})") from None


def _problem(location: tuple[int | str, ...], kind: str, message: str, set_by: Mapping[KeyPath, str]) -> str:
    steps = tuple(str(step) for step in location)
    # A union's alternatives and a list's places come after the key's own steps.
    variables = (set_by[steps[:length]] for length in range(len(steps), 0, -1) if steps[:length] in set_by)
    key = next(variables, ".".join(steps) or "the configuration")
    if kind != "extra_forbidden":
        return f"{key}: {message.removeprefix('Value error, ')}"
    section = model_at(Settings, location[:-1])
    allowed = f"; allowed here: {', '.join(section.model_fields)}" if section is not None else ""
    return f"{key}: no such key{allowed}"
