"""The variant record: the same transcript with one attribute set."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import (
    BaseModel,
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from perturbations.records.edit import Edit
from perturbations.records.reading import OWN
from perturbations.records.transcript import Moment, Question, Turn

Status = Literal["accepted", "rejected", "not_applicable", "original"]


class Variant(BaseModel):
    """One arm of one row.

    `accepted` carries the changed turns with their edits, or a header. `rejected` (failed validation after the
    retries) and `not_applicable` carry a reason and neither turns nor edits. `original`: the attribute is the
    original, its turns unchanged.
    """

    model_config = OWN

    transcript_id: str
    row: str
    attribute: str
    draw: int = 0
    status: Status
    reason: str | None = None
    retries: int = 0
    validator: str | None = None
    header: str | None = None
    turns: tuple[Turn, ...] = ()
    edits: tuple[Edit, ...] = ()


class VariantMessage(BaseModel):
    """A variant with all that an evaluator needs, so that evaluators hold no state.

    `transcript_hash` and `received_at` (when the broker took the transcript) tell versions of one transcript
    apart and put them in order; `repeat` counts the repeats of the original. `materials` is the hash of the names,
    cues and headers that the variant was written with. As JSON it is flat: the variant's fields, as `perturb` prints
    them, with these beside them.
    """

    model_config = OWN

    variant: Variant
    repeat: int = 0
    transcript_hash: str
    received_at: Moment | None = None
    occurred_at: Moment | None = None
    channel: str | None = None
    domain: str | None = None
    language: str = "en"
    labels: dict[str, JsonValue] = Field(default_factory=dict)
    questions: tuple[Question, ...]
    judge: str | None = None
    materials: str | None = None

    @model_serializer(mode="wrap")
    def _flat(self, as_plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        plain: dict[str, Any] = as_plain(self)
        return {**plain.pop("variant"), **plain}

    @model_validator(mode="before")
    @classmethod
    def _from_flat(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "variant" in data:
            return data
        own = {name: value for name, value in data.items() if name in cls.model_fields}
        return {**own, "variant": {name: value for name, value in data.items() if name not in own}}
