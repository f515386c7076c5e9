"""How records are read: bytes in, a frozen pydantic model out, or a RecordError that repeats no text."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from perturbations.errors import RecordError

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


def _described(error: ValidationError) -> RecordError:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    if problems[0]["type"] == "json_invalid":
        return RecordError("not_json", "the record is not JSON")
    places = [f"{'.'.join(str(step) for step in p['loc']) or 'record'}: {p['msg']}" for p in problems[:5]]
    more = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
    return RecordError("invalid", "; ".join(places) + more)
