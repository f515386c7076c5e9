"""The pair record: two arms of one row for the same transcript, system and epoch, both `ok`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue

from evaluators.evaluation import Judge
from perturbations.records.reading import OWN
from perturbations.records.transcript import Moment, Verdict

PairKind = Literal["attribute", "original", "placebo", "repeat"]
"""`attribute`: eq. 3's pairs. `original`: an attribute with the original, where the original is none of the
attributes. `placebo`: draw 0 with draw 1. `repeat`: two repeats of the original."""


class Pair(BaseModel):
    """One pair with its comparisons: sums over the questions answered yes or no in both arms, and lists.

    Signed differences are arm_b minus arm_a. The parallel lists hold every question that both arms answered, `na`
    included; `confidence_differences` has None where a side gave no confidence. `yes_to_no` counts answers that are
    yes in arm_a and no in arm_b. `na_changes` counts questions where one side or both are `na`.
    """

    model_config = OWN

    pair_id: str
    evaluation_a: str = ""
    evaluation_b: str = ""
    transcript_id: str
    transcript_hash: str
    received_at: Moment | None = None
    row: str
    arm_a: str
    arm_b: str
    repeat_a: int = 0
    repeat_b: int = 0
    kind: PairKind
    judge: Judge
    system_id: str
    epoch: str
    occurred_at: Moment | None = None
    evaluated_at: Moment | None = None
    domain: str | None = None
    channel: str | None = None
    language: str | None = None
    labels: dict[str, JsonValue] = Field(default_factory=dict)
    comparisons: Annotated[int, Field(ge=0)]
    flips: Annotated[int, Field(ge=0)]
    yes_to_no: Annotated[int, Field(ge=0)]
    no_to_yes: Annotated[int, Field(ge=0)]
    na_changes: Annotated[int, Field(ge=0)]
    confidence_difference_sum: float
    confidence_absolute_difference_sum: float
    confidence_count: Annotated[int, Field(ge=0)]
    positive_difference: float | None
    improvement_difference: float | None
    question_ids: tuple[str, ...]
    answers_a: tuple[Verdict, ...]
    answers_b: tuple[Verdict, ...]
    confidence_differences: tuple[float | None, ...]
    construct_relevant: tuple[bool, ...]
    version: int
    """Of several contents under one pair_id the one with the largest version counts; in [0, 2**128)."""
