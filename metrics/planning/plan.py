"""What a wanted precision takes: transcripts, judge calls, money and days, for each row and for all together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from metrics.estimators.interval import transcripts_needed
from metrics.planning.observed_rows import ObservedRow, assumed_row
from perturbations.planning.design import Design
from perturbations.records.reading import OWN
from perturbations.rows import ROWS

OTHER_ARMS = (2, 3, 4)
"""Designs that are worked out beside the configured one."""


@dataclass(frozen=True)
class Means:
    """What there is to work with; None is unknown or, for the limits, none.

    `sampled_per_day` transcripts come and are kept. An evaluation takes `calls` calls and `dollars`; the original is
    evaluated `repeats` times. Under `least` transcripts there is no figure at all.
    """

    precision: float
    design: Design
    repeats: int
    questions: int
    least: int = 2
    calls: int = 1
    dollars: float | None = None
    sampled_per_day: float | None = None
    calls_per_day: float | None = None
    dollars_per_day: float | None = None


class Needs(BaseModel):
    """How much it takes: transcripts that are sampled, calls to the judge, money, days; None is unknown.

    `limited_by` says what the days come from: `traffic`, `calls_per_day` or `dollars_per_day`.
    """

    model_config = OWN

    transcripts: int
    calls: int
    dollars: float | None = None
    days: float | None = None
    limited_by: str | None = None


class DesignNeeds(BaseModel):
    """What a row takes with so many of its attributes a transcript."""

    model_config = OWN

    arms: int
    transcripts: int
    calls: int


class RowPlan(BaseModel):
    """One row alone: the CFR that is expected, and what its interval of ± the precision takes.

    `seen_transcripts` is over how many transcripts the CFR was seen, 0 where it is assumed. `calls` are those of the
    row's own arms and their placebos; the original and its repeats serve all rows and are in the total. `designs`
    are others with fewer arms a transcript.
    """

    model_config = OWN

    cfr: float
    seen_transcripts: int
    needs: Needs
    designs: tuple[DesignNeeds, ...] = ()


class Plan(BaseModel):
    """The rows' plans, and what all of them take together: every sampled transcript serves all its rows."""

    model_config = OWN

    precision: float
    rows: dict[str, RowPlan]
    total: Needs
    calls_per_transcript: float
    reasons: dict[str, str] = Field(default_factory=dict)

    def with_reasons(self, reasons: dict[str, str]) -> Plan:
        """The same plan with what has to be said about what isn't known."""
        return self.model_copy(update={"reasons": reasons})


def plan(
    rows: Sequence[str],
    means: Means,
    *,
    observed: Mapping[str, ObservedRow] | None = None,
    fewer: Mapping[int, Mapping[str, ObservedRow]] | None = None,
) -> Plan:
    """What these rows take, from what was observed of them: under the design, and by smaller `arms_per_row`."""
    share = _share(means.design, len(rows))
    chosen = {
        name: (observed or {}).get(name) or assumed_row(ROWS[name], means.design, questions=means.questions)
        for name in rows
    }
    needed = {name: _transcripts(row, means, share=share) for name, row in chosen.items()}
    each = {name: share * row.applies * _calls(row, means) for name, row in chosen.items()}
    per_transcript = means.repeats * means.calls + math.fsum(each.values())
    most = max(needed.values(), default=0)
    return Plan(
        precision=means.precision,
        rows={
            name: RowPlan(
                cfr=row.cfr,
                seen_transcripts=row.transcripts,
                needs=_needs(needed[name], needed[name] * each[name], means),
                designs=_designs(name, means, fewer or {}, share),
            )
            for name, row in chosen.items()
        },
        total=_needs(most, most * per_transcript, means),
        calls_per_transcript=per_transcript,
    )


def _share(design: Design, rows: int) -> float:
    """The share of the transcripts that get a row."""
    return 1.0 if design.rows_per_transcript is None else min(1.0, design.rows_per_transcript / max(rows, 1))


def _transcripts(row: ObservedRow, means: Means, *, share: float) -> int:
    compared = max(means.least, transcripts_needed(row.sample, means.precision))
    return math.ceil(compared / (row.applies * share) - 1e-9)


def _calls(row: ObservedRow, means: Means) -> float:
    """Calls of a row's arms on a transcript that gets the row and to which it applies, placebos included."""
    return row.arms * (1 + means.design.placebo_rate) * means.calls


def _needs(transcripts: int, calls: float, means: Means) -> Needs:
    count = math.ceil(calls - 1e-9)
    dollars = None if means.dollars is None else calls / means.calls * means.dollars
    days = {
        "traffic": _ratio(transcripts, means.sampled_per_day),
        "calls_per_day": _ratio(count, means.calls_per_day),
        "dollars_per_day": _ratio(dollars, means.dollars_per_day),
    }
    known = {name: value for name, value in days.items() if value is not None}
    slowest = max(known, key=known.__getitem__, default=None) if "traffic" in known else None
    return Needs(
        transcripts=transcripts,
        calls=count,
        dollars=dollars,
        days=None if slowest is None else known[slowest],
        limited_by=slowest,
    )


def _ratio(amount: float | None, per_day: float | None) -> float | None:
    return None if amount is None or not per_day else amount / per_day


def _designs(
    name: str, means: Means, fewer: Mapping[int, Mapping[str, ObservedRow]], share: float
) -> tuple[DesignNeeds, ...]:
    row = ROWS[name]
    needs = []
    for arms in OTHER_ARMS:
        if row.original_attribute is not None or arms >= len(row.attributes):
            continue
        design = replace(means.design, arms_per_row=arms)
        smaller = fewer.get(arms, {}).get(name) or assumed_row(row, design, questions=means.questions)
        transcripts = _transcripts(smaller, means, share=share)
        calls = transcripts * share * smaller.applies * _calls(smaller, means)
        needs.append(DesignNeeds(arms=arms, transcripts=transcripts, calls=math.ceil(calls - 1e-9)))
    return tuple(needs)
