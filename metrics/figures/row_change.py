"""Before and after: how each row's figures differ between two systems, epochs or prompts."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from metrics.estimators.interval import Interval
from metrics.estimators.paired_difference import (
    Clusters,
    change_p_value,
    mean_change_interval,
    pooled,
    rate_change_interval,
)
from metrics.figures.clusters import SCORES, ScoreName, absolute_differences, flips
from metrics.figures.figures import benjamini_hochberg
from metrics.figures.thresholds import DEFAULT, LONE_TRANSCRIPT, Thresholds
from metrics.pairs.pair import Pair
from perturbations.rows import ROBUSTNESS, ROWS

RECORD = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Change(BaseModel):
    """One figure before and after; `change` is after minus before."""

    model_config = RECORD

    before: float | None = None
    after: float | None = None
    change: float | None = None
    interval: Interval | None = None
    reason: str | None = None


class RowChange(BaseModel):
    """What changed in one row: its CFR, a ratio, and its MASDs, in points.

    `p_value` tests an equal CFR, two-sided; `p_adjusted` is it after Benjamini-Hochberg over the rows compared.
    """

    model_config = RECORD

    transcripts_before: int
    transcripts_after: int
    comparisons_before: int
    comparisons_after: int
    cfr: Change
    p_value: float | None = None
    p_adjusted: float | None = None
    masd: dict[ScoreName, Change] = Field(default_factory=dict)


def changes(before: Iterable[Pair], after: Iterable[Pair], *, needed: Thresholds = DEFAULT) -> dict[str, RowChange]:
    """Each row, and `robustness`, before and after.

    Takes all pairs of either side; those of kind `attribute` (`repeat` for robustness) are compared. Transcripts on
    both sides are compared with themselves, so that the same traffic under two judges gives a narrow interval.
    """
    sides = [_by_row(pairs) for pairs in (before, after)]
    found = {row: _row_change(sides[0].get(row, []), sides[1].get(row, []), needed) for row in (*ROWS, ROBUSTNESS)}
    tested = benjamini_hochberg({name: found[name].p_value for name in ROWS})
    return {name: change.model_copy(update={"p_adjusted": tested.get(name)}) for name, change in found.items()}


def cfr_change(before: Clusters, after: Clusters, needed: Thresholds = DEFAULT) -> Change:
    """A CFR before and after, from flips and comparisons by transcript."""
    return _change(after, before, needed, rate_change_interval(after, before), by_comparison=True)


def _by_row(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    held: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.kind in ("attribute", "repeat"):
            held.setdefault(pair.row, []).append(pair)
    return held


def _row_change(before: list[Pair], after: list[Pair], needed: Thresholds) -> RowChange:
    one, other = flips(after), flips(before)
    cfr = cfr_change(other, one, needed)
    return RowChange(
        transcripts_before=len({pair.transcript_id for pair in before}),
        transcripts_after=len({pair.transcript_id for pair in after}),
        comparisons_before=sum(pair.comparisons for pair in before),
        comparisons_after=sum(pair.comparisons for pair in after),
        cfr=cfr,
        p_value=change_p_value(one, other) if cfr.change is not None else None,
        masd={score: _score_change(before, after, score, needed) for score in SCORES},
    )


def _score_change(before: list[Pair], after: list[Pair], score: ScoreName, needed: Thresholds) -> Change:
    one, other = absolute_differences(after, score), absolute_differences(before, score)
    interval = mean_change_interval(one, other, scale=100.0)
    return _change(one, other, needed, interval, by_comparison=score == "confidence")


def _change(
    after: Clusters, before: Clusters, needed: Thresholds, interval: Interval | None, *, by_comparison: bool
) -> Change:
    shortfalls = [_shortfall(side, needed, by_comparison=by_comparison) for side in (before, after)]
    p, q = (None if short else pooled(side) for short, side in zip(shortfalls, (before, after), strict=True))
    if p is None or q is None:
        sides = zip(("before", "after"), shortfalls, strict=True)
        reason = "; ".join(f"{side}: {short}" for side, short in sides if short)
        return Change(before=p, after=q, reason=reason or "nothing to count")
    return Change(before=p, after=q, change=q - p, interval=interval, reason=None if interval else LONE_TRANSCRIPT)


def _shortfall(clusters: Clusters, needed: Thresholds, *, by_comparison: bool) -> str | None:
    held = [n for _, n in clusters.values() if n > 0]
    return needed.shortfall(comparisons=sum(held) if by_comparison else None, transcripts=len(held))
