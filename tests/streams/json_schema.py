"""As much of JSON Schema's rules as our schemas use; an unknown keyword fails, so that none passes unchecked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "null": lambda v: v is None,
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "string": lambda v: isinstance(v, str),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}

_SILENT = {"$defs", "title", "description", "default", "examples", "discriminator"}


def faults(schema: Any, value: Any, root: Mapping[str, Any], path: str = "$") -> list[str]:
    """What is wrong with the value, each with its place; nothing where the schema holds."""
    if schema is True or schema == {}:
        return []
    problems: list[str] = []
    for keyword, rule in schema.items():
        if keyword in _SILENT:
            continue
        problems += _CHECKS[keyword](rule, value, root, path, schema)
    return problems


def _ref(rule: str, value: Any, root: Mapping[str, Any], path: str, _: Any) -> list[str]:
    at: Any = root
    for step in rule.removeprefix("#/").split("/"):
        at = at[step]
    return faults(at, value, root, path)


def _any_of(rule: list[Any], value: Any, root: Mapping[str, Any], path: str, _: Any) -> list[str]:
    return (
        [] if any(not faults(inner, value, root, path) for inner in rule) else [f"{path}: fits none of {len(rule)}"]
    )


def _type(rule: str, value: Any, _: Any, path: str, __: Any) -> list[str]:
    return [] if _TYPES[rule](value) else [f"{path}: no {rule}"]


def _properties(rule: Mapping[str, Any], value: Any, root: Mapping[str, Any], path: str, _: Any) -> list[str]:
    instance = value if isinstance(value, dict) else {}
    return [
        f
        for name, inner in rule.items()
        if name in instance
        for f in faults(inner, instance[name], root, f"{path}.{name}")
    ]


def _additional(rule: Any, value: Any, root: Mapping[str, Any], path: str, schema: Mapping[str, Any]) -> list[str]:
    more = (
        {k: v for k, v in value.items() if k not in schema.get("properties", {})} if isinstance(value, dict) else {}
    )
    if rule is False:
        return [f"{path}.{name}: not allowed" for name in more]
    return [fault for name, instance in more.items() for fault in faults(rule, instance, root, f"{path}.{name}")]


def _items(rule: Any, value: Any, root: Mapping[str, Any], path: str, _: Any) -> list[str]:
    instance = value if isinstance(value, list) else []
    return [fault for n, inner in enumerate(instance) for fault in faults(rule, inner, root, f"{path}[{n}]")]


def _required(rule: list[str], value: Any, _: Any, path: str, __: Any) -> list[str]:
    return [f"{path}.{name}: missing" for name in rule if isinstance(value, dict) and name not in value]


def _format(rule: str, value: Any, _: Any, path: str, __: Any) -> list[str]:
    assert rule == "date-time"
    if isinstance(value, str):
        moment = datetime.fromisoformat(value)
        return [] if moment.tzinfo else [f"{path}: a time without its zone"]
    return []


def _holds(good: Callable[[Any, Any], bool]) -> Callable[[Any, Any, Any, str, Any], list[str]]:
    return lambda rule, value, root, path, schema: [] if good(rule, value) else [f"{path}: against {rule}"]


_CHECKS: Mapping[str, Callable[[Any, Any, Any, str, Any], list[str]]] = {
    "$ref": _ref,
    "anyOf": _any_of,
    "oneOf": _any_of,
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "required": _required,
    "format": _format,
    "enum": _holds(lambda rule, value: value in rule),
    "const": _holds(lambda rule, value: value == rule),
    "minimum": _holds(lambda rule, value: not _TYPES["number"](value) or value >= rule),
    "maximum": _holds(lambda rule, value: not _TYPES["number"](value) or value <= rule),
    "minLength": _holds(lambda rule, value: not isinstance(value, str) or len(value) >= rule),
    "maxLength": _holds(lambda rule, value: not isinstance(value, str) or len(value) <= rule),
    "minItems": _holds(lambda rule, value: not isinstance(value, list) or len(value) >= rule),
    "pattern": _holds(lambda rule, value: not isinstance(value, str) or re.search(rule, value) is not None),
}
