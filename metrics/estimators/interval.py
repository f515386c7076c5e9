"""Confidence intervals that know that the comparisons of one transcript resemble each other.

A cluster is one transcript: a sum and the number of things summed (flips and comparisons; absolute differences and
how many). Everything here is exact under reordering: sums are rounded once, at their end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.special import betainccinv, betaincinv, stdtrit

Interval = tuple[float, float]
"""Lower and upper end."""

Cluster = tuple[float, int]
"""One transcript's sum and count."""

CONFIDENCE = 0.95

TYPICAL_CORRELATION = 0.1
"""The correlation within a transcript that stands in while too few transcripts have flips to show their own."""

SCARCE = 10
"""With flips in this many transcripts the data's own design effect and the typical one weigh the same."""


def rate_interval(clusters: Iterable[Cluster], *, confidence: float = CONFIDENCE) -> Interval | None:
    """The Korn-Graubard interval of a pooled rate in [0, 1]; None for fewer than two transcripts.

    With m transcripts of x_t events in n_t trials, N = sum n_t, p = sum x_t / N:

        v     = m/(m-1) * sum (x_t - p n_t)^2 / N^2                 linearised variance
        d     = max(1, v N / (p (1-p)))                             design effect
        n_eff = N / d * (t(N-1) / t(m-1))^2                         t quantiles at 1 - alpha/2
        lower = Beta(alpha/2;     p n_eff,     (1-p) n_eff + 1)
        upper = Beta(1 - alpha/2; p n_eff + 1, (1-p) n_eff)         Clopper-Pearson on n_eff

    (Korn and Graubard, Survey Methodology 24, 1998; the cap at d = 1 as in Parker et al., NCHS Vital and Health
    Statistics 2(175), 2017.) With few events v says nothing about how they cluster: one event gives d = 1 however
    alike a transcript's trials are, and none gives none at all. So where events, or non-events, occur in k
    transcripts only, d is drawn towards the design effect of a correlation of 0.1:

        d* = d + (1 - w) * max(0, 1 + 0.1 (sum n_t^2 / N - 1) - d),   w = k^2 / (k^2 + 10^2)

    which is what makes zero counts and rates around 1 % covered; the weight fades as k grows.
    """
    sample = effective(clusters)
    return None if sample is None else korn_graubard(sample, 1 - confidence)


@dataclass(frozen=True)
class Effective:
    """A pooled rate with what its interval needs: n_eff before the t adjustment, m and N."""

    rate: float
    size: float
    clusters: int
    trials: int


def effective(clusters: Iterable[Cluster]) -> Effective | None:
    """The effective sample behind a pooled rate; None for fewer than two transcripts."""
    counted = [(x, n) for x, n in clusters if n > 0]
    m, total = len(counted), sum(n for _, n in counted)
    if m < 2:
        return None
    p = math.fsum(x for x, _ in counted) / total
    return Effective(p, total / _design_effect(counted, p, total), m, total)


def korn_graubard(sample: Effective, alpha: float) -> Interval:
    """The interval of `rate_interval` at level 1 - alpha, alpha in (0, 1)."""
    n_eff, p = sample.size, sample.rate
    if sample.trials > sample.clusters:
        n_eff *= float((stdtrit(sample.trials - 1, alpha / 2) / stdtrit(sample.clusters - 1, alpha / 2)) ** 2)
    lower = 0.0 if p == 0 else float(betaincinv(p * n_eff, (1 - p) * n_eff + 1, alpha / 2))
    upper = 1.0 if p == 1 else float(betainccinv(p * n_eff + 1, (1 - p) * n_eff, alpha / 2))
    return (min(lower, p), max(upper, p))


def transcripts_needed(sample: Effective, precision: float, *, confidence: float = CONFIDENCE) -> int:
    """About how many transcripts like these give an interval of rate ± `precision`, a ratio in (0, 1].

    The half width falls with the root of the number of transcripts. A rate of 0 is taken as one event fewer than
    could be told from it, half an event in the effective sample.
    """
    rate = min(max(sample.rate, 0.5 / sample.size), 1 - 0.5 / sample.size) if sample.size > 1 else 0.5
    each = sample.size / sample.clusters
    return math.ceil(
        t_quantile(max(sample.clusters - 1, 1), confidence) ** 2 * rate * (1 - rate) / precision**2 / each
    )


def mean_interval(
    clusters: Iterable[Cluster], *, low: float, high: float, confidence: float = CONFIDENCE
) -> Interval | None:
    """The linearised interval of a pooled mean, cut at [low, high]; None for fewer than two transcripts.

        low < 0:   mean ± t(m-1) sqrt(v)
        low = 0:   mean * exp(± t(m-1) sqrt(v) / mean)

    with v as in `rate_interval` (Taylor linearisation of a ratio estimator with transcripts as primary sampling
    units: Cochran, Sampling Techniques, 1977, section 6.4; on the log scale by the delta method). Means of absolute
    differences have a long tail to the right: the plain interval misses on that side, the one on the log scale less.
    """
    counted = [(x, n) for x, n in clusters if n > 0]
    m, total = len(counted), sum(n for _, n in counted)
    if m < 2:
        return None
    mean = math.fsum(x for x, _ in counted) / total
    margin = t_quantile(m - 1, confidence) * math.sqrt(linearised_variance(counted, mean, total))
    if low == 0 and mean > 0:
        # Beyond this the interval is all of [low, high], and exp would overflow.
        factor = math.exp(min(margin / mean, 50.0))
        return (mean / factor, min(high, mean * factor))
    return (max(low, mean - margin), min(high, mean + margin))


def linearised_variance(clusters: list[Cluster], mean: float, total: int) -> float:
    """The variance of a pooled mean over at least two clusters."""
    m = len(clusters)
    return m / (m - 1) * math.fsum(((x - mean * n) / total) ** 2 for x, n in clusters)


def t_quantile(degrees: int, confidence: float = CONFIDENCE) -> float:
    """The upper quantile of Student's t for a two-sided interval."""
    return -float(stdtrit(degrees, (1 - confidence) / 2))


def _design_effect(clusters: list[Cluster], p: float, total: int) -> float:
    effect = 1.0
    if 0 < p < 1:
        effect = max(effect, linearised_variance(clusters, p, total) * total / (p * (1 - p)))
    telling = min(sum(x > 0 for x, _ in clusters), sum(x < n for x, n in clusters))
    weight = telling**2 / (telling**2 + SCARCE**2)
    typical = 1 + TYPICAL_CORRELATION * (sum(n * n for _, n in clusters) / total - 1)
    return effect + (1 - weight) * max(0.0, typical - effect)
