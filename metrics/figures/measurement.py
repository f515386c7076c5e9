"""The record of a whole measurement: the form of `measure --json`."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, Field

from evaluators.evaluation import Judge
from metrics.figures.agreement import Agreement
from metrics.figures.figure_records import Robustness, RowFigures
from perturbations.records.reading import OWN


class JudgeFigures(BaseModel):
    """Whether the judge tells transcripts apart at all: one that always says the same has a CFR of 0.

    `yes_share` is over all yes/no answers of every arm; `constant` where there are answers and all are the same,
    with a `statement` that says so.
    """

    model_config = OWN

    judges: tuple[Judge, ...] = ()
    answers: int = 0
    yes_share: float | None = None
    constant: bool = False
    statement: str | None = None
    reasons: dict[str, str] = Field(default_factory=dict)


class SystemFigures(BaseModel):
    """All figures of one system and epoch. `precision` is what the rows' `transcripts_needed` is for: ± a ratio."""

    model_config = OWN

    rows: dict[str, RowFigures]
    robustness: Robustness
    accuracy: Agreement
    fidelity: Agreement
    judge: JudgeFigures
    precision: float


class Counted(BaseModel):
    """What the figures are made of.

    `evaluations` counts those that remain after deduplication, without the `anchors`, which are in no figure, and
    `unknown_arms` those of them that belong to no row, by reason; they are in no figure either.
    `superseded_evaluations` are contents that lost to another of the same evaluation. Of `pairs_possible`
    pairs (None where one system has one epoch) `pairs_across_epochs` aren't made, since one system judged their arms
    in different epochs: a router that serves two models in turn, or a change in the middle of a transcript.
    """

    model_config = OWN

    evaluations: int = 0
    transcripts: int = 0
    anchors: int = 0
    superseded_evaluations: int = 0
    transcripts_with_several_versions: int = 0
    pairs_possible: int | None = None
    pairs_across_epochs: int = 0
    unknown_arms: dict[str, int] = Field(default_factory=dict)


class Measurement(SystemFigures):
    """The figures of a set of evaluations.

    With more than one system in it, `by_system` has each one's figures and the top-level ones are null, unless one
    was chosen. `systems` are the keys, always all.
    """

    systems: tuple[str, ...] = ()
    system: str | None = None
    input: Counted = Counted()
    by_system: dict[str, SystemFigures] | None = None
    reasons: dict[str, str] = Field(default_factory=dict)


def dump(measurement: Measurement) -> str:
    """Canonical JSON: equal measurements give equal text. Floats are unrounded."""
    return as_text(as_plain(measurement))


def as_plain(measurement: Measurement) -> dict[str, Any]:
    """The measurement as plain data; `by_system` only where it applies."""
    plain = measurement.model_dump(mode="json")
    if plain["by_system"] is None:
        del plain["by_system"]
    return plain


def as_text(plain: Any) -> str:
    """Plain data as canonical JSON: equal data give equal text, floats unrounded, a line at the end."""
    return json.dumps(_canonical(plain), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _canonical(value: Any) -> Any:
    # A difference that cancels may be -0.0 or 0.0, which are equal and print differently.
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    return value + 0.0 if isinstance(value, float) else value
