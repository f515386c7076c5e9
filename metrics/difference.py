"""Differences of two pooled rates or means over the same transcripts."""

from __future__ import annotations

import math
from collections.abc import Mapping

from scipy.special import stdtr

from metrics.interval import (
    CONFIDENCE,
    Cluster,
    Interval,
    linearised_variance,
    mean_interval,
    rate_interval,
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
    one, other = shared(one, other)
    interval_one = rate_interval(one.values(), confidence=confidence)
    interval_other = rate_interval(other.values(), confidence=confidence)
    if interval_one is None or interval_other is None:
        return None
    return _combined(one, other, interval_one, interval_other, low=-1.0, high=1.0)


def mean_difference_interval(
    one: Clusters, other: Clusters, *, scale: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """The same for two pooled means in [0, scale], from their own intervals."""
    one, other = shared(one, other)
    interval_one = mean_interval(one.values(), low=0, high=scale, confidence=confidence)
    interval_other = mean_interval(other.values(), low=0, high=scale, confidence=confidence)
    if interval_one is None or interval_other is None:
        return None
    return _combined(one, other, interval_one, interval_other, low=-scale, high=scale)


def difference_p_value(one: Clusters, other: Clusters) -> float | None:
    """Two-sided p of equal rates, from a t test on linearised per-transcript differences.

    Where every transcript shows the very same difference there is no variance to test with: the sign test's
    2 ** (1 - m) then, or 1.0 for no difference. None for fewer than two shared transcripts.
    """
    one, other = shared(one, other)
    m = len(one)
    p_one, p_other = pooled(one), pooled(other)
    if m < 2 or p_one is None or p_other is None:
        return None
    residuals = zip(_residuals(one), _residuals(other), strict=True)
    variance = m / (m - 1) * math.fsum((a - b) ** 2 for a, b in residuals)
    difference = p_one - p_other
    if variance == 0:
        return 1.0 if difference == 0 else 2.0 ** (1 - m)
    return min(1.0, 2 * float(stdtr(m - 1, -abs(difference) / math.sqrt(variance))))


def _combined(
    one: Clusters, other: Clusters, first: Interval, second: Interval, *, low: float, high: float
) -> Interval:
    p, q = pooled(one) or 0.0, pooled(other) or 0.0
    r = _correlation(one, other)
    down = _length(p - first[0], second[1] - q, r)
    up = _length(first[1] - p, q - second[0], r)
    return (max(low, p - q - down), min(high, p - q + up))


def _length(a: float, b: float, r: float) -> float:
    return math.sqrt(max(0.0, a * a + b * b - 2 * r * a * b))


def _residuals(clusters: Clusters) -> list[float]:
    mean, total = pooled(clusters) or 0.0, sum(n for _, n in clusters.values())
    return [(x - mean * n) / total for x, n in clusters.values()]


def _correlation(one: Clusters, other: Clusters) -> float:
    spread = math.sqrt(math.prod(_variance(c) for c in (one, other)))
    if spread == 0:
        return 0.0
    m = len(one)
    covariance = m / (m - 1) * math.fsum(a * b for a, b in zip(_residuals(one), _residuals(other), strict=True))
    return max(-1.0, min(1.0, covariance / spread))


def _variance(clusters: Clusters) -> float:
    return linearised_variance(list(clusters.values()), pooled(clusters) or 0.0, sum(n for _, n in clusters.values()))
