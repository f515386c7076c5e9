"""The transcript record: one conversation between an agent and a customer, as it came in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, Field, JsonValue, field_validator, model_validator

from perturbations.records.errors import RecordError
from perturbations.records.hashing import digest
from perturbations.records.reading import OUTSIDE, known_version, read_record, without_nulls

Speaker = Literal["agent", "customer", "bot", "supervisor", "other"]
Gender = Literal["male", "female"]
Verdict = Literal["yes", "no", "na"]

SCHEMA_VERSION = 1


def _storable(moment: datetime) -> datetime:
    # ClickHouse's DateTime64 and most tools around it are exact within these years; a moment outside is a
    # broken clock or a wrong unit, and one such row would fail a whole insert.
    if not 1970 <= moment.year <= 2199:
        raise ValueError("must lie in the years 1970 to 2199")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_storable)]
"""A time with its zone, in years that every store takes."""


class Turn(BaseModel):
    """One utterance by one speaker."""

    model_config = OUTSIDE

    speaker: Speaker
    text: str


class Person(BaseModel):
    """What is known about the agent or the customer from outside the text."""

    model_config = OUTSIDE

    name: str | None = None
    gender: Gender | None = None


class Question(BaseModel):
    """One yes/no item of the QA form.

    `construct_relevant` lists the rows whose attribute the question itself asks about: their pairs are counted
    apart. `human_answer` and `production_answer` are what people and production said about this transcript.
    """

    model_config = OUTSIDE

    question_id: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(min_length=1)]
    kind: Literal["objective", "subjective"] = "subjective"
    construct_relevant: tuple[str, ...] = ()
    allow_na: bool = False
    human_answer: Verdict | None = None
    production_answer: Verdict | None = None

    @model_validator(mode="before")
    @classmethod
    def _known_fields(cls, data: Any) -> Any:
        return without_nulls(data)


class Transcript(BaseModel):
    """One conversation. Only `transcript_id` and `turns` are required; empty `questions` means the rubric."""

    model_config = OUTSIDE

    schema_version: int = SCHEMA_VERSION
    transcript_id: Annotated[str, Field(min_length=1, max_length=500, strict=True)]
    status: Literal["final", "in_progress"] = "final"
    occurred_at: Moment | None = None
    channel: str | None = None
    domain: str | None = None
    language: str = "en"
    agent: Person = Person()
    customer: Person = Person()
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    questions: tuple[Question, ...] = ()
    judge: str | None = None
    labels: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _known_version(cls, data: Any) -> Any:
        return known_version(data, SCHEMA_VERSION)

    @field_validator("questions")
    @classmethod
    def _distinct_questions(cls, questions: tuple[Question, ...]) -> tuple[Question, ...]:
        ids = [question.question_id for question in questions]
        if len(set(ids)) != len(ids):
            raise ValueError("question_id must be unique within a transcript")
        return questions

    def with_id(self, transcript_id: str) -> Transcript:
        """The same conversation under another id."""
        # A copy, here and below: what was read is valid, and reading it again costs as much as writing a variant.
        return self.model_copy(update={"transcript_id": transcript_id})

    def with_questions(self, questions: tuple[Question, ...]) -> Transcript:
        """The same conversation with these questions."""
        return self.model_copy(update={"questions": questions})

    @property
    def content_hash(self) -> str:
        """A hash of the whole record: two contents under one transcript_id are two versions."""
        return digest(self.model_dump_json())


def read_transcript(raw: bytes | None, *, max_bytes: int = 1_000_000) -> Transcript:
    """The transcript in `raw`.

    Raises RecordError with the reasons of `read_record`, `unknown_schema_version`, or `too_large`: a record
    over `max_bytes` would be multiplied by every arm.
    """
    if raw is not None and len(raw) > max_bytes:
        raise RecordError("too_large", f"the record has {len(raw):,} bytes, the limit is {max_bytes:,}")
    return read_record(Transcript, raw)
