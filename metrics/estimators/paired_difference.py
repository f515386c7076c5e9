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


def shared(first: Clusters, second: Clusters) -> tuple[dict[str, Cluster], dict[str, Cluster]]:
    """Both reduced to the transcripts where both have something counted, in one order."""
    keys = sorted(key for key, (_, n) in first.items() if n > 0 and second.get(key, (0.0, 0))[1] > 0)
    return {key: first[key] for key in keys}, {key: second[key] for key in keys}


def pooled(clusters: Clusters) -> float | None:
    """The pooled rate or mean; None where nothing was counted."""
    total = sum(n for _, n in clusters.values())
    return math.fsum(x for x, _ in clusters.values()) / total if total else None


def rate_difference_interval(first: Clusters, second: Clusters, *, confidence: float = CONFIDENCE) -> Interval | None:
    """The interval of one rate minus another over shared transcripts, in [-1, 1]; None for fewer than two of them.

    From the two rates' own intervals (l, u) and the correlation r of the two estimates (MOVER: Zou and Donner,
    Statistics in Medicine 27, 2008; with r: Zou, Psychological Methods 12, 2007):

        d - sqrt((p1-l1)^2 + (u2-p2)^2 - 2 r (p1-l1)(u2-p2)),  d + sqrt((u1-p1)^2 + (p2-l2)^2 - 2 r (u1-p1)(p2-l2))

    r is that of the linearised per-transcript residuals, so the interval is a paired one. A rate of zero keeps its
    own upper end here, where a t interval of the differences would take the zero as certain.
    """
    return rate_change_interval(*shared(first, second), confidence=confidence)


def rate_change_interval(first: Clusters, second: Clusters, *, confidence: float = CONFIDENCE) -> Interval | None:
    """The same over all transcripts of either side: those on both count as pairs, the others as independent."""
    sides = _two_rates(first, second)
    return None if sides is None else sides.interval(1 - confidence)


def mean_difference_interval(
    first: Clusters, second: Clusters, *, scale: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """As `rate_difference_interval` for two pooled means in [0, scale], from their own intervals."""
    return mean_change_interval(*shared(first, second), scale=scale, confidence=confidence)


def mean_change_interval(
    first: Clusters, second: Clusters, *, scale: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """As `rate_change_interval` for two pooled means in [0, scale]."""
    first_interval = mean_interval(first.values(), low=0, high=scale, confidence=confidence)
    second_interval = mean_interval(second.values(), low=0, high=scale, confidence=confidence)
    if first_interval is None or second_interval is None:
        return None
    p, q = pooled(first) or 0.0, pooled(second) or 0.0
    r = _correlation(first, second)
    return _mover((p, first_interval), (q, second_interval), r, low=-scale, high=scale)


def difference_p_value(first: Clusters, second: Clusters) -> float | None:
    """Two-sided p of equal rates over the shared transcripts; None for fewer than two of them.

    The largest level at which `rate_difference_interval` still holds 0, so that the two don't contradict each other
    (with a handful of transcripts an interval needn't shrink evenly as the level rises); at least 1e-12.
    """
    return change_p_value(*shared(first, second))


def change_p_value(first: Clusters, second: Clusters) -> float | None:
    """The same by `rate_change_interval`, over all transcripts of either side."""
    sides = _two_rates(first, second)
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
class _TwoRates:
    """Two rates' effective samples and the correlation of their estimates."""

    first: Effective
    second: Effective
    r: float

    def interval(self, alpha: float) -> Interval:
        own, others = korn_graubard(self.first, alpha), korn_graubard(self.second, alpha)
        return _mover((self.first.rate, own), (self.second.rate, others), self.r, low=-1.0, high=1.0)

    def holds_zero(self, alpha: float) -> bool:
        low, high = self.interval(alpha)
        return low <= 0 <= high


def _two_rates(first: Clusters, second: Clusters) -> _TwoRates | None:
    samples = effective(first.values()), effective(second.values())
    if samples[0] is None or samples[1] is None:
        return None
    return _TwoRates(samples[0], samples[1], _correlation(first, second))


def _mover(
    first: tuple[float, Interval], second: tuple[float, Interval], r: float, *, low: float, high: float
) -> Interval:
    (p, own), (q, others) = first, second
    down = _length(p - own[0], others[1] - q, r)
    up = _length(own[1] - p, q - others[0], r)
    return (max(low, p - q - down), min(high, p - q + up))


def _correlation(first: Clusters, second: Clusters) -> float:
    first, second = _counted(first), _counted(second)
    spread = math.sqrt(_variance(first) * _variance(second))
    return max(-1.0, min(1.0, _covariance(first, second) / spread)) if spread else 0.0


def _counted(clusters: Clusters) -> dict[str, Cluster]:
    return {key: clusters[key] for key in sorted(clusters) if clusters[key][1] > 0}


def _length(a: float, b: float, r: float) -> float:
    return math.sqrt(max(0.0, a * a + b * b - 2 * r * a * b))


def _residuals(clusters: Clusters) -> dict[str, float]:
    mean, total = pooled(clusters) or 0.0, sum(n for _, n in clusters.values())
    return {key: (x - mean * n) / total for key, (x, n) in clusters.items()}


def _covariance(first: Clusters, second: Clusters) -> float:
    own, others = _residuals(first), _residuals(second)
    both = [own[key] * others[key] for key in own if key in others]
    return len(both) / (len(both) - 1) * math.fsum(both) if len(both) > 1 else 0.0


def _variance(clusters: Clusters) -> float:
    return linearised_variance(list(clusters.values()), pooled(clusters) or 0.0, sum(n for _, n in clusters.values()))
