"""How records are read: bytes in, a frozen pydantic model out, or a RecordError that repeats no text."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from perturbations.records.errors import RecordError

Record = TypeVar("Record", bound=BaseModel)

OUTSIDE = ConfigDict(frozen=True, extra="ignore", strict=False, hide_input_in_errors=True)
"""For records that others write: unknown fields are kept out of the way, not fatal."""

OWN = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)
"""For records that evenhand alone writes."""


def read_record(model: type[Record], raw: bytes | None) -> Record:
    """The record in `raw` (UTF-8 JSON).

    Raises RecordError with reason `null` (no bytes: a tombstone), `not_utf8`, `not_json` or `invalid`
    (JSON, but not this record: the detail lists each place with what is allowed there).
    """
    if raw is None:
        raise RecordError("null", "the record has no value")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError("not_utf8", f"byte {error.start} is not UTF-8") from None
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise _described(error) from None


def known_version(data: Any, version: int) -> Any:
    """A record's fields before they are checked, without those that are null.

    Raises RecordError with reason `unknown_schema_version` where the record names another version than this one.
    """
    if isinstance(data, dict):
        named = data.get("schema_version")
        if named is not None and (named != version or isinstance(named, bool)):
            raise RecordError("unknown_schema_version", f"schema_version must be {version}")
    return without_nulls(data)


def without_nulls(data: Any) -> Any:
    """The fields that the sender knows: one that is null has its default."""
    return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data


def _described(error: ValidationError) -> RecordError:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    if problems[0]["type"] == "json_invalid":
        return RecordError("not_json", "the record is not JSON")
    places = [f"{'.'.join(str(step) for step in p['loc']) or 'record'}: {p['msg']}" for p in problems[:5]]
    more = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
    return RecordError("invalid", "; ".join(places) + more)
