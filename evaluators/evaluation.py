"""The evaluation record: what the judge returned for one arm."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from perturbations.records.hashing import digest
from perturbations.records.transcript import Moment, Question, Verdict

Outcome = Literal["ok", "refused", "truncated", "unparsed", "error", "skipped"]

Score = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
"""Points from 0 to 100."""

RECORD = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True, allow_inf_nan=False)


class Answer(BaseModel):
    """One question answered. With an outcome other than `ok` the answer is null and drops out of comparisons."""

    model_config = RECORD

    question_id: str
    answer: Verdict | None
    confidence: Score | None = None
    outcome: Outcome = "ok"
    construct_relevant: tuple[str, ...] = ()
    human_answer: Verdict | None = None
    production_answer: Verdict | None = None

    @classmethod
    def to(
        cls, question: Question, *, outcome: Outcome, answer: Verdict | None = None, confidence: float | None = None
    ) -> Answer:
        """The answer to this question, with what the transcript says of the question."""
        return cls(
            question_id=question.question_id,
            answer=answer,
            confidence=confidence,
            outcome=outcome,
            construct_relevant=question.construct_relevant,
            human_answer=question.human_answer,
            production_answer=question.production_answer,
        )


class Judge(BaseModel):
    """Which model was asked and which one answered."""

    model_config = RECORD

    provider: str = ""
    model: str = ""
    served_model: str | None = None


class Usage(BaseModel):
    """Tokens of one evaluation; `input_tokens` includes the cached ones, `output_tokens` the reasoning ones.

    None is unknown, never 0.
    """

    model_config = RECORD

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """What two calls took together; a figure that either doesn't know is unknown."""
        return Usage(
            input_tokens=_sum(self.input_tokens, other.input_tokens),
            cached_tokens=_sum(self.cached_tokens, other.cached_tokens),
            output_tokens=_sum(self.output_tokens, other.output_tokens),
            reasoning_tokens=_sum(self.reasoning_tokens, other.reasoning_tokens),
        )


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


class Notes(BaseModel):
    """The coaching note's two lists."""

    model_config = RECORD

    positives: tuple[str, ...] = ()
    improvements: tuple[str, ...] = ()


class Evaluation(BaseModel):
    """What the judge returned for one arm of one row: answers and a coaching note, or another outcome.

    `draw` 1 is the placebo. The original's evaluation has row `robustness`, attribute `original`, repeat 0; its
    repeats have repeat 1, 2, ... Only `transcript_id`, `row`, `attribute`, `outcome` and, for `ok`, `answers` are
    required; ids that are absent are computed by `with_ids`. `parameters` are those that the requests in the end
    carried, with the rung of the output ladder as `mode`; they are part of the epoch.
    """

    model_config = RECORD

    evaluation_id: str | None = None
    transcript_id: Annotated[str, Field(min_length=1)]
    transcript_hash: str = ""
    received_at: Moment | None = None
    row: str
    attribute: str
    draw: Annotated[int, Field(ge=0)] = 0
    repeat: Annotated[int, Field(ge=0)] = 0
    system_id: str = ""
    judge: Judge = Judge()
    epoch: str = ""
    occurred_at: Moment | None = None
    evaluated_at: Moment | None = None
    outcome: Outcome
    reason: str | None = None
    answers: tuple[Answer, ...] = ()
    positive_score: Score | None = None
    improvement_score: Score | None = None
    notes: Notes | None = None
    notes_outcome: Outcome | None = None
    domain: str | None = None
    channel: str | None = None
    language: str | None = None
    labels: dict[str, JsonValue] = Field(default_factory=dict)
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    request_ids: tuple[str, ...] = ()
    usage: Usage = Usage()
    latency_seconds: float | None = None
    attempts: int | None = None

    def content_hash(self) -> str:
        """A hash of everything in the record: breaks ties between two contents of one evaluation_id."""
        return digest(self.model_dump_json())

    def with_ids(self) -> Evaluation:
        """The same evaluation with its id, computed where it is absent."""
        if self.evaluation_id is not None:
            return self
        # A copy, since it also keeps which fields were given: a record that lacks its answers must still lack them.
        return self.model_copy(update={"evaluation_id": self.known_id})

    @property
    def known_id(self) -> str:
        """The evaluation's id, computed where it is absent."""
        return _id_of(self) if self.evaluation_id is None else self.evaluation_id

    def without_id(self) -> Evaluation:
        """The same evaluation without its id."""
        return self.model_copy(update={"evaluation_id": None})

    def without_notes(self) -> Evaluation:
        """The same evaluation without the coaching note's text: the judge's own words."""
        return self.model_copy(update={"notes": None})


def evaluation_id(
    transcript_id: str, transcript_hash: str, row: str, attribute: str, draw: int, repeat: int, system_id: str
) -> str:
    """The id of an evaluation, known before the judge is asked: a redelivery asks under the same id."""
    return digest("evaluation", transcript_id, transcript_hash, row, attribute, draw, repeat, system_id)


def _id_of(e: Evaluation) -> str:
    return evaluation_id(e.transcript_id, e.transcript_hash, e.row, e.attribute, e.draw, e.repeat, e.system_id)
