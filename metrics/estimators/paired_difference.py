"""Differences of two pooled rates or means over the same transcripts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from metrics.estimators.interval import (
    CONFIDENCE,
    Cluster,
    Effective,
    Interval,
    effective,
    korn_graubard,
    linearised_variance,
    mean_interval,
)

Clusters = Mapping[str, Cluster]
"""Sums and counts by transcript_id."""


def shared(one: Clusters, other: Clusters) -> tuple[dict[str, Cluster], dict[str, Cluster]]:
    """Both reduced to the transcripts where both have something counted, in one order."""
    keys = sorted(key for key, (_, n) in one.items() if n > 0 and other.get(key, (0.0, 0))[1] > 0)
    return {key: one[key] for key in keys}, {key: other[key] for key in keys}


def pooled(clusters: Clusters) -> float | None:
    """The pooled rate or mean; None where nothing was counted."""
    total = sum(n for _, n in clusters.values())
    return math.fsum(x for x, _ in clusters.values()) / total if total else None


def rate_difference_interval(one: Clusters, other: Clusters, *, confidence: float = CONFIDENCE) -> Interval | None:
    """The interval of one rate minus another over shared transcripts, in [-1, 1]; None for fewer than two of them.

    From the two rates' own intervals (l, u) and the correlation r of the two estimates (MOVER: Zou and Donner,
    Statistics in Medicine 27, 2008; with r: Zou, Psychological Methods 12, 2007):

        d - sqrt((p1-l1)^2 + (u2-p2)^2 - 2 r (p1-l1)(u2-p2)),  d + sqrt((u1-p1)^2 + (p2-l2)^2 - 2 r (u1-p1)(p2-l2))

    r is that of the linearised per-transcript residuals, so the interval is a paired one. A rate of zero keeps its
    own upper end here, where a t interval of the differences would take the zero as certain.
    """
    return rate_change_interval(*shared(one, other), confidence=confidence)


def rate_change_interval(one: Clusters, other: Clusters, *, confidence: float = CONFIDENCE) -> Interval | None:
    """The same over all transcripts of either side: those on both count as pairs, the others as independent."""
    sides = _rates(one, other)
    return None if sides is None else sides.interval(1 - confidence)


def mean_difference_interval(
    one: Clusters, other: Clusters, *, scale: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """As `rate_difference_interval` for two pooled means in [0, scale], from their own intervals."""
    return mean_change_interval(*shared(one, other), scale=scale, confidence=confidence)


def mean_change_interval(
    one: Clusters, other: Clusters, *, scale: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """As `rate_change_interval` for two pooled means in [0, scale]."""
    interval_one = mean_interval(one.values(), low=0, high=scale, confidence=confidence)
    interval_other = mean_interval(other.values(), low=0, high=scale, confidence=confidence)
    if interval_one is None or interval_other is None:
        return None
    p, q = pooled(one) or 0.0, pooled(other) or 0.0
    return _mover((p, interval_one), (q, interval_other), _correlation(one, other), low=-scale, high=scale)


def difference_p_value(one: Clusters, other: Clusters) -> float | None:
    """Two-sided p of equal rates over the shared transcripts; None for fewer than two of them.

    The largest level at which `rate_difference_interval` still holds 0, so that the two don't contradict each other
    (with a handful of transcripts an interval needn't shrink evenly as the level rises); at least 1e-12.
    """
    return change_p_value(*shared(one, other))


def change_p_value(one: Clusters, other: Clusters) -> float | None:
    """The same by `rate_change_interval`, over all transcripts of either side."""
    sides = _rates(one, other)
    if sides is None:
        return None
    if sides.holds_zero(_MOST):
        return 1.0
    # Bisection on log10(p), to about three digits more than anyone reads.
    low, high = _LEAST_LOG, math.log10(_MOST)
    for _ in range(36):
        middle = (low + high) / 2
        low, high = (middle, high) if sides.holds_zero(10**middle) else (low, middle)
    return float(10**high)


_LEAST_LOG = -12.0
_MOST = 0.999


@dataclass(frozen=True)
class _Rates:
    """Two rates' effective samples and the correlation of their estimates."""

    one: Effective
    other: Effective
    r: float

    def interval(self, alpha: float) -> Interval:
        first, second = korn_graubard(self.one, alpha), korn_graubard(self.other, alpha)
        return _mover((self.one.rate, first), (self.other.rate, second), self.r, low=-1.0, high=1.0)

    def holds_zero(self, alpha: float) -> bool:
        low, high = self.interval(alpha)
        return low <= 0 <= high


def _rates(one: Clusters, other: Clusters) -> _Rates | None:
    first, second = effective(one.values()), effective(other.values())
    return None if first is None or second is None else _Rates(first, second, _correlation(one, other))


def _mover(
    one: tuple[float, Interval], other: tuple[float, Interval], r: float, *, low: float, high: float
) -> Interval:
    (p, first), (q, second) = one, other
    down = _length(p - first[0], second[1] - q, r)
    up = _length(first[1] - p, q - second[0], r)
    return (max(low, p - q - down), min(high, p - q + up))


def _correlation(one: Clusters, other: Clusters) -> float:
    one, other = _counted(one), _counted(other)
    spread = math.sqrt(_variance(one) * _variance(other))
    return max(-1.0, min(1.0, _covariance(one, other) / spread)) if spread else 0.0


def _counted(clusters: Clusters) -> dict[str, Cluster]:
    return {key: clusters[key] for key in sorted(clusters) if clusters[key][1] > 0}


def _length(a: float, b: float, r: float) -> float:
    return math.sqrt(max(0.0, a * a + b * b - 2 * r * a * b))


def _residuals(clusters: Clusters) -> dict[str, float]:
    mean, total = pooled(clusters) or 0.0, sum(n for _, n in clusters.values())
    return {key: (x - mean * n) / total for key, (x, n) in clusters.items()}


def _covariance(one: Clusters, other: Clusters) -> float:
    here, there = _residuals(one), _residuals(other)
    both = [here[key] * there[key] for key in here if key in there]
    return len(both) / (len(both) - 1) * math.fsum(both) if len(both) > 1 else 0.0


def _variance(clusters: Clusters) -> float:
    return linearised_variance(list(clusters.values()), pooled(clusters) or 0.0, sum(n for _, n in clusters.values()))
