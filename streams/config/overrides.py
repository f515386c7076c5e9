"""Environment variables in place of keys of the configuration file.

A variable is the key's steps in capitals, joined by underscores: `[kafka] bootstrap_servers` is
`EVENHAND_KAFKA_BOOTSTRAP_SERVERS`, `[judges.main.limits] calls_per_day` is
`EVENHAND_JUDGES_MAIN_LIMITS_CALLS_PER_DAY`. Lists are comma-separated, tables with free keys are JSON objects, and an
empty value is no value where the key may have none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import NoneType
from typing import Any

from pydantic import BaseModel

from streams.config.errors import SettingsError
from streams.config.keys import Key, KeyPath, keys_of, named_tables

PREFIX = "EVENHAND_"

_KEY_OF_A_JUDGE = f"{PREFIX}JUDGE_KEY"


def apply_overrides(
    data: dict[str, Any], model: type[BaseModel], environment: Mapping[str, str]
) -> dict[KeyPath, str]:
    """Put the variables' values into `data`; gives which variable set which key.

    Raises SettingsError for a variable that names a section but no key of it. Other variables are others'.
    """
    set_by: dict[KeyPath, str] = {}
    for variable in _ours(data, environment):
        key = _key_named(variable, data, model)
        if key is not None:
            _put(data, key.steps, _value(key, environment[variable], variable))
            set_by[key.steps] = variable
    return set_by


def unused_variables(data: Mapping[str, Any], model: type[BaseModel], environment: Mapping[str, str]) -> list[str]:
    """The variables that look like ours and set nothing. Raises SettingsError as `apply_overrides` does."""
    return [variable for variable in _ours(data, environment) if _key_named(variable, data, model) is None]


def _ours(data: Mapping[str, Any], environment: Mapping[str, str]) -> list[str]:
    """Our variables but for those that hold judges' keys: their names are free, their values no configuration."""
    judges = data.get("judges")
    tables = judges.values() if isinstance(judges, dict) else ()
    named = [table.get("api_key_env") for table in tables if isinstance(table, dict)]
    chosen = [text for variable, text in environment.items() if variable.endswith("_API_KEY_ENV")]
    keys = {_KEY_OF_A_JUDGE, *(name for name in (*named, *chosen) if isinstance(name, str))}
    return sorted(variable for variable in environment if variable.startswith(PREFIX) and variable not in keys)


def _key_named(variable: str, data: Mapping[str, Any], model: type[BaseModel]) -> Key | None:
    wanted = variable.removeprefix(PREFIX).lower()
    keys = list(keys_of(model))
    for key in keys:
        if key.spelled == wanted:
            return key
    for section, inner in named_tables(model).items():
        if wanted.startswith(f"{section}_"):
            return _named_key(variable, wanted.removeprefix(f"{section}_"), section, inner, data.get(section))
    for key in keys:
        section = key.steps[0]
        if len(key.steps) > 1 and wanted.startswith(f"{section}_"):
            raise SettingsError(f"{variable}: no such key; allowed in {section}: {_listed(keys, section)}")
    return None


def _named_key(variable: str, rest: str, section: str, model: type[BaseModel], there: object) -> Key:
    # Names and keys may both hold underscores: a name that the file has decides, else the longest key does.
    known = {_spelled(name): name for name in there} if isinstance(there, dict) else {}
    keys = list(keys_of(model))
    fitting = [(rest.removesuffix(f"_{key.spelled}"), key) for key in keys if rest.endswith(f"_{key.spelled}")]
    if not fitting:
        raise SettingsError(f"{variable}: no such key; allowed in {section}.NAME: {_listed(keys)}")
    name, key = min(fitting, key=lambda fit: (fit[0] not in known, len(fit[0])))
    return Key((section, known.get(name, name), *key.steps), key.kinds)


def _spelled(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "_", name.lower())


def _listed(keys: list[Key], section: str | None = None) -> str:
    allowed = (key.steps[1:] if section else key.steps for key in keys if section in (None, key.steps[0]))
    return ", ".join(".".join(steps) for steps in allowed)


def _value(key: Key, text: str, variable: str) -> Any:
    if text == "" and NoneType in key.kinds:
        return None
    if tuple in key.kinds:
        return [part.strip() for part in text.split(",")]
    return _table(text, variable) if dict in key.kinds else text


def _table(text: str, variable: str) -> dict[str, Any]:
    try:
        table = json.loads(text)
    except ValueError:
        table = None
    if not isinstance(table, dict):
        raise SettingsError(f"{variable}: must be a JSON object")
    return table


def _put(data: dict[str, Any], steps: KeyPath, value: Any) -> None:
    at = data
    for step in steps[:-1]:
        inner = at.setdefault(step, {})
        if not isinstance(inner, dict):
            return  # No table where one must be: the check of the whole says so.
        at = inner
    at[steps[-1]] = value
