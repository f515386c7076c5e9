"""Sums by transcript into figures: one set of estimators, thresholds and reasons, for files and the live window."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from metrics.estimators.interval import Cluster, Interval, mean_interval, rate_interval
from metrics.estimators.paired_difference import (
    Clusters,
    difference_p_value,
    pooled,
    rate_difference_interval,
    shared,
)
from metrics.figures.cluster_sums import NetSums, PairSums
from metrics.figures.clusters import SCORES, ScoreName
from metrics.figures.thresholds import LONE_TRANSCRIPT, Thresholds

Given = tuple[object, str | None]
"""What a field holds, and why it holds nothing where that is None."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval; where either is None, `reason` says why."""

    value: float | None = None
    interval: Interval | None = None
    reason: str | None = None

    @property
    def given(self) -> Given:
        """The value, or why there is none."""
        return self.value, self.reason

    @property
    def given_interval(self) -> Given:
        """The interval, or why there is none."""
        return self.interval, self.reason

    def in_turn(self, field: str, interval_field: str) -> dict[str, Given]:
        """Both under their fields' names; where the value is missing, the interval goes without saying."""
        return {field: self.given} | ({} if self.value is None else {interval_field: self.given_interval})


NOT_ASKED = Estimate()
"""No value and no reason: a figure that isn't asked for where it would stand."""


def give_reasons(fields: Mapping[str, Given]) -> dict[str, str]:
    """Why each of these fields that hold nothing holds nothing, by its name and in their order."""
    return {name: reason for name, (value, reason) in fields.items() if value is None and reason is not None}


def rate(clusters: Iterable[Cluster], needed: Thresholds) -> Estimate:
    """A pooled rate in [0, 1] with its interval."""
    return _pooled_estimate(clusters, needed, by_comparison=True, interval=rate_interval)


def mean(
    clusters: Iterable[Cluster], needed: Thresholds, *, low: float, high: float, by_comparison: bool
) -> Estimate:
    """A pooled mean in [low, high] with its interval."""
    return _pooled_estimate(
        clusters,
        needed,
        by_comparison=by_comparison,
        interval=lambda counted: mean_interval(counted, low=low, high=high),
    )


def cfr(sums: PairSums, needed: Thresholds) -> Estimate:
    """Flips over comparisons, in [0, 1]: eq. 3."""
    return rate(sums.flips.values(), needed)


def excess_cfr(sums: PairSums, baseline: PairSums, needed: Thresholds) -> Estimate:
    """A CFR minus that of a baseline over the transcripts that have both, in [-1, 1], with a paired interval."""
    own, base = shared(sums.flips, baseline.flips)
    count = min(sum(n for _, n in clusters.values()) for clusters in (own, base))
    reason = needed.shortfall(comparisons=count, transcripts=len(own))
    p, q = pooled(own), pooled(base)
    if reason is not None or p is None or q is None:
        return Estimate(reason=reason or "nothing to compare with")
    interval = rate_difference_interval(own, base)
    return Estimate(p - q, interval, None if interval else LONE_TRANSCRIPT)


def excess_p_value(excess: Estimate, sums: PairSums, baseline: PairSums) -> float | None:
    """The two-sided p of no excess, in step with its interval; None where no excess is given."""
    return None if excess.value is None else difference_p_value(sums.flips, baseline.flips)


def masds(sums: PairSums, needed: Thresholds) -> dict[ScoreName, Estimate]:
    """The mean absolute difference of each score, in points: eq. 4."""
    return {score: masd(sums.differences[score], score, needed) for score in SCORES}


def masd(differences: Clusters, score: ScoreName, needed: Thresholds) -> Estimate:
    """One score's mean absolute difference: confidence is counted by comparison, the other scores by pair."""
    return mean(differences.values(), needed, low=0, high=100, by_comparison=score == "confidence")


def mean_shift(differences: Clusters, score: ScoreName, needed: Thresholds) -> Estimate:
    """One score's mean signed difference, in points from -100 to 100, counted as its MASD is."""
    return mean(differences.values(), needed, low=-100, high=100, by_comparison=score == "confidence")


def net_share(sums: NetSums, needed: Thresholds, *, by_comparison: bool = True) -> Estimate:
    """The share that is yes on one side alone minus that on the other alone, in [-1, 1], with a paired interval.

    Where it is pairs that are counted, not comparisons, it needs the transcripts only.
    """
    counts = [n for _, n in sums.gained.values() if n > 0]
    reason = needed.shortfall(comparisons=sum(counts) if by_comparison else None, transcripts=len(counts))
    plus, minus = pooled(sums.gained), pooled(sums.lost)
    if reason is not None or plus is None or minus is None:
        return Estimate(reason=reason or "nothing to count")
    interval = rate_difference_interval(sums.gained, sums.lost)
    return Estimate(plus - minus, interval, None if interval else LONE_TRANSCRIPT)


def _pooled_estimate(
    clusters: Iterable[Cluster],
    needed: Thresholds,
    *,
    by_comparison: bool,
    interval: Callable[[list[Cluster]], Interval | None],
) -> Estimate:
    counted = [(x, n) for x, n in clusters if n > 0]
    count = sum(n for _, n in counted)
    reason = needed.shortfall(comparisons=count if by_comparison else None, transcripts=len(counted))
    if reason is None and count == 0:
        reason = "nothing to count"
    if reason is not None:
        return Estimate(reason=reason)
    ends = interval(counted)
    return Estimate(math.fsum(x for x, _ in counted) / count, ends, None if ends else LONE_TRANSCRIPT)
