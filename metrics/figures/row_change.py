"""Before and after: how each row's figures differ between two systems, epochs or prompts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, Field

from metrics.estimators.interval import Interval
from metrics.estimators.multiplicity import benjamini_hochberg
from metrics.estimators.paired_difference import (
    Clusters,
    change_p_value,
    mean_change_interval,
    pooled,
    rate_change_interval,
)
from metrics.figures.clusters import SCORES, ScoreName, absolute_differences, flips
from metrics.figures.thresholds import DEFAULT, LONE_TRANSCRIPT, Thresholds
from metrics.pairs.pair import Pair
from perturbations.records.reading import OWN
from perturbations.rows import ROBUSTNESS, ROWS


class FigureChange(BaseModel):
    """One figure before and after; `change` is after minus before."""

    model_config = OWN

    before: float | None = None
    after: float | None = None
    change: float | None = None
    interval: Interval | None = None
    reason: str | None = None


class RowChange(BaseModel):
    """What changed in one row: its CFR, a ratio, and its MASDs, in points.

    `p_value` tests an equal CFR, two-sided; `p_adjusted` is it after Benjamini-Hochberg over the rows compared.
    """

    model_config = OWN

    transcripts_before: int
    transcripts_after: int
    comparisons_before: int
    comparisons_after: int
    cfr: FigureChange
    p_value: float | None = None
    p_adjusted: float | None = None
    masd: dict[ScoreName, FigureChange] = Field(default_factory=dict)


def row_changes(
    before: Iterable[Pair], after: Iterable[Pair], *, needed: Thresholds = DEFAULT
) -> dict[str, RowChange]:
    """Each row, and `robustness`, before and after.

    Takes all pairs of either side; those of kind `attribute` (`repeat` for robustness) are compared. Transcripts on
    both sides are compared with themselves, so that the same traffic under two judges gives a narrow interval.
    """
    old, new = _by_row(before), _by_row(after)
    sides = {name: (old.get(name, []), new.get(name, [])) for name in (*ROWS, ROBUSTNESS)}
    sums = {name: (flips(pairs_before), flips(pairs_after)) for name, (pairs_before, pairs_after) in sides.items()}
    rates = {name: cfr_change(*both, needed) for name, both in sums.items()}
    p_values = {
        name: change_p_value(now, then) if rates[name].change is not None else None
        for name, (then, now) in sums.items()
    }
    adjusted = benjamini_hochberg({name: p_values[name] for name in ROWS})
    return {
        name: RowChange(
            transcripts_before=len({pair.transcript_id for pair in pairs_before}),
            transcripts_after=len({pair.transcript_id for pair in pairs_after}),
            comparisons_before=sum(pair.comparisons for pair in pairs_before),
            comparisons_after=sum(pair.comparisons for pair in pairs_after),
            cfr=rates[name],
            p_value=p_values[name],
            p_adjusted=adjusted.get(name),
            masd={score: _masd_change(pairs_before, pairs_after, score, needed) for score in SCORES},
        )
        for name, (pairs_before, pairs_after) in sides.items()
    }


def cfr_change(before: Clusters, after: Clusters, needed: Thresholds = DEFAULT) -> FigureChange:
    """A CFR before and after, from flips and comparisons by transcript."""
    return _change(before, after, needed, rate_change_interval(after, before), by_comparison=True)


def _by_row(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    by_row: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.kind in ("attribute", "repeat"):
            by_row.setdefault(pair.row, []).append(pair)
    return by_row


def _masd_change(before: Sequence[Pair], after: Sequence[Pair], score: ScoreName, needed: Thresholds) -> FigureChange:
    old, new = absolute_differences(before, score), absolute_differences(after, score)
    interval = mean_change_interval(new, old, scale=100.0)
    return _change(old, new, needed, interval, by_comparison=score == "confidence")


def _change(
    before: Clusters, after: Clusters, needed: Thresholds, interval: Interval | None, *, by_comparison: bool
) -> FigureChange:
    short_before, short_after = (_shortfall(side, needed, by_comparison=by_comparison) for side in (before, after))
    p = None if short_before else pooled(before)
    q = None if short_after else pooled(after)
    if p is None or q is None:
        reasons = [f"{side}: {short}" for side, short in (("before", short_before), ("after", short_after)) if short]
        return FigureChange(before=p, after=q, reason="; ".join(reasons) or "nothing to count")
    reason = None if interval else LONE_TRANSCRIPT
    return FigureChange(before=p, after=q, change=q - p, interval=interval, reason=reason)


def _shortfall(clusters: Clusters, needed: Thresholds, *, by_comparison: bool) -> str | None:
    counts = [n for _, n in clusters.values() if n > 0]
    return needed.shortfall(comparisons=sum(counts) if by_comparison else None, transcripts=len(counts))
