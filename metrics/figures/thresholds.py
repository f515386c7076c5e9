"""When a figure is given: with enough data, and with a reason where it isn't."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from metrics.estimators.interval import Cluster, Interval, mean_interval, rate_interval


@dataclass(frozen=True)
class Thresholds:
    """What a figure needs: this many comparisons from this many transcripts.

    Scores of coaching notes are counted by pair, not by comparison: they need the transcripts only. `withheld` is a
    reason to give no figure at all, whatever the counts. `precision` is the half width wanted for a CFR's interval, a
    ratio: how many transcripts that takes is told beside the figure.
    """

    comparisons: int = 50
    transcripts: int = 20
    precision: float = 0.02
    withheld: str | None = None

    def shortfall(self, *, comparisons: int | None, transcripts: int) -> str | None:
        """Why a figure over this much can't be given, or None where it can."""
        if self.withheld is not None:
            return self.withheld
        if comparisons is not None and comparisons < self.comparisons:
            return f"too few ({comparisons} of {self.comparisons}) comparisons"
        if transcripts < self.transcripts:
            return f"too few ({transcripts} of {self.transcripts}) transcripts"
        return None

    def by_pair(self) -> Thresholds:
        """The same for a rate that counts pairs, not comparisons: it needs the transcripts only."""
        return replace(self, comparisons=0)


DEFAULT = Thresholds()

LONE_TRANSCRIPT = "an interval needs at least 2 transcripts"


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval; where either is None, `reason` says why."""

    value: float | None
    interval: Interval | None
    reason: str | None


def rate(clusters: Iterable[Cluster], needed: Thresholds) -> Estimate:
    """A pooled rate in [0, 1] with its interval."""
    return _estimate(clusters, needed, by_comparison=True, interval=rate_interval)


def mean(
    clusters: Iterable[Cluster], needed: Thresholds, *, low: float, high: float, by_comparison: bool
) -> Estimate:
    """A pooled mean in [low, high] with its interval."""
    return _estimate(
        clusters, needed, by_comparison=by_comparison, interval=lambda held: mean_interval(held, low=low, high=high)
    )


def _estimate(
    clusters: Iterable[Cluster],
    needed: Thresholds,
    *,
    by_comparison: bool,
    interval: Callable[[list[Cluster]], Interval | None],
) -> Estimate:
    held = [(x, n) for x, n in clusters if n > 0]
    count = sum(n for _, n in held)
    reason = needed.shortfall(comparisons=count if by_comparison else None, transcripts=len(held))
    if reason is None and count == 0:
        reason = "nothing to count"
    if reason is not None:
        return Estimate(None, None, reason)
    found = interval(held)
    return Estimate(math.fsum(x for x, _ in held) / count, found, None if found else LONE_TRANSCRIPT)
