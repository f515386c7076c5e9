"""Intervals of rates and means, against independent implementations and against simulated truth."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from benchmarks.interval_coverage import (
    Coverage,
    Design,
    direction_coverage,
    excess_coverage,
    masd_coverage,
    masd_excess_coverage,
    pooled_wilson_coverage,
    rate_coverage,
)
from metrics.estimators.interval import (
    Cluster,
    Effective,
    effective,
    mean_interval,
    rate_interval,
    transcripts_needed,
)
from metrics.estimators.paired_difference import (
    difference_p_value,
    mean_difference_interval,
    rate_difference_interval,
)

clusters = st.lists(
    st.integers(0, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2, max_size=30
)


def clopper_pearson(p: float, size: float, trials: int, transcripts: int) -> tuple[float, float]:
    """On an effective sample of `size` out of `trials`, adjusted for so few transcripts, by statsmodels."""
    if trials > transcripts:
        size *= (stats.t.ppf(0.975, trials - 1) / stats.t.ppf(0.975, transcripts - 1)) ** 2
    low, high = proportion_confint(p * size, size, alpha=0.05, method="beta")
    return (0.0 if p == 0 else float(low), 1.0 if p == 1 else float(high))


def design_effects(counted: list[Cluster]) -> tuple[float, float]:
    """The design effect that the data show, and that of a correlation of 0.1 from the whole correlation matrix."""
    x, n = (np.array(column, dtype=float) for column in zip(*counted, strict=True))
    m, total, p = len(n), int(n.sum()), x.sum() / n.sum()
    shown = m / (m - 1) * ((x - p * n) ** 2).sum() / total / (p * (1 - p)) if 0 < p < 1 else 1.0
    transcript = np.repeat(np.arange(m), n.astype(int))
    matrix = np.where(transcript[:, None] == transcript, 0.1, 0.0)
    np.fill_diagonal(matrix, 1.0)
    return max(1.0, float(shown)), float(matrix.sum() / total)


@given(clusters)
def test_rates_follow_korn_and_graubard_and_widen_towards_a_typical_correlation(sums: list[tuple[int, int]]) -> None:
    interval = rate_interval(sums)
    counted: list[Cluster] = [(x, n) for x, n in sums if n > 0]
    if len(counted) < 2:
        assert interval is None
        return
    assert interval is not None
    trials = sum(n for _, n in counted)
    p = sum(x for x, _ in counted) / trials
    shown, typical = design_effects(counted)
    own, wide = (clopper_pearson(p, trials / effect, trials, len(counted)) for effect in (shown, typical))
    few = min(sum(x > 0 for x, _ in counted), sum(x < n for x, n in counted))
    if shown >= typical:
        assert interval == pytest.approx(own, abs=1e-9)
    elif few == 0:
        assert interval == pytest.approx(wide, abs=1e-9)
    else:
        assert wide[0] - 1e-9 <= interval[0] <= own[0] + 1e-9
        assert own[1] - 1e-9 <= interval[1] <= wide[1] + 1e-9


@pytest.mark.parametrize(
    ("sums", "p", "design_effect", "quantiles"),
    [
        # The data show 4/3 x 2.75/40 / (0.075 x 0.925); 0.1 gives 1 + 0.9. Two transcripts flip: a weight of 4/104.
        ([(1, 10), (0, 10), (2, 10), (0, 10)], 0.075, (4 * 1.321321 + 100 * 1.9) / 104, (2.022691, 3.182446)),
        # 600/599 and 1 + 2.9; one transcript flips: 1/101.
        ([(1, 30), *[(0, 30)] * 19], 1 / 600, (1.001669 + 100 * 3.9) / 101, (1.963932, 2.093024)),
        # Ten transcripts flip: half of each. The data show less than independence would: 1; 0.1 gives 1 + 0.3.
        ([*[(1, 4)] * 10, *[(0, 4)] * 10], 0.125, 1.15, (1.990450, 2.093024)),
        # No flip says nothing of its own: all of 1 + 2.9.
        ([(0, 30)] * 60, 0.0, 3.9, (1.961284, 2.000995)),
        # The data show 35/8, more than 1 + 0.1 (650/40 - 1): their own counts.
        ([(3, 5), (1, 15), (0, 20)], 0.1, 4.375, (2.022691, 4.302653)),
    ],
)
def test_the_design_effect_by_hand(
    sums: list[Cluster], p: float, design_effect: float, quantiles: tuple[float, float]
) -> None:
    size = sum(n for _, n in sums) / design_effect * (quantiles[0] / quantiles[1]) ** 2
    low, high = proportion_confint(p * size, size, alpha=0.05, method="beta")
    assert rate_interval(sums) == pytest.approx((0.0 if p == 0 else low, high), abs=1e-6)


def test_singletons_are_nearly_clopper_pearson() -> None:
    # 300 independent comparisons: the effective sample size is 299.
    sums = [(1, 1)] * 60 + [(0, 1)] * 240
    exact = stats.binomtest(60, 300).proportion_ci(method="exact")
    assert rate_interval(sums) == pytest.approx((exact.low, exact.high), abs=2e-4)


@pytest.mark.parametrize("letters", [0, 1])
def test_all_or_nothing_is_not_certain(letters: int) -> None:
    low, high = rate_interval([(letters * 30, 30)] * 60) or (None, None)
    assert low is not None
    assert high is not None
    assert (low, high) == pytest.approx((0, 0.0083) if letters == 0 else (1 - 0.0083, 1), abs=2e-4)


def test_one_flip_more_never_lowers_the_upper_end() -> None:
    uppers = [(rate_interval([(1, 30)] * k + [(0, 30)] * (60 - k)) or (0, 0))[1] for k in range(20)]
    assert uppers == sorted(uppers)


@pytest.mark.parametrize("sums", [[], [(1, 5)], [(1, 5), (0, 0)]])
def test_fewer_than_two_transcripts_have_no_interval(sums: list[Cluster]) -> None:
    assert rate_interval(sums) is None
    assert mean_interval(sums, low=-100, high=100) is None


@given(clusters, st.randoms(use_true_random=False))
def test_order_makes_no_difference(sums: list[tuple[int, int]], chance: object) -> None:
    again = sums[::-1]
    assert rate_interval(again) == rate_interval(sums)
    assert mean_interval(again, low=0, high=100) == mean_interval(sums, low=0, high=100)


def test_the_transcripts_needed_give_the_precision() -> None:
    rng = np.random.default_rng(8)
    few = [(int(x), 30) for x in rng.binomial(30, rng.beta(0.9, 8.1, 80))]
    sample = effective(few)
    assert sample is not None
    many = (few * 100)[: transcripts_needed(sample, 0.01)]
    low, high = rate_interval(many) or (0, 0)
    assert (high - low) / 2 == pytest.approx(0.01, rel=0.1)
    assert transcripts_needed(Effective(0.0, 100.0, 60, 600), 0.01) > 0


def test_means_of_one_value_each_are_the_t_interval() -> None:
    values = [3.0, -1.5, 4.0, 0.0, 2.5, -2.0]
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    interval = mean_interval([(x, 1) for x in values], low=-100, high=100)
    assert interval == pytest.approx((expected.low, expected.high))
    assert mean_interval([(x, 1) for x in values], low=-1, high=1.5) == (-1, 1.5)


def test_absolute_means_keep_above_zero() -> None:
    values = [0.0, 0.0, 0.0, 12.0, 1.0]
    mean, margin = 2.6, -stats.t.ppf(0.025, 4) * stats.sem(values)
    expected = (mean * math.exp(-margin / mean), mean * math.exp(margin / mean))
    assert mean_interval([(x, 1) for x in values], low=0, high=100) == pytest.approx(expected)
    assert mean_interval([(0.0, 3), (0.0, 2)], low=0, high=100) == (0, 0)


def test_a_paired_difference_is_narrower_than_an_unpaired_one() -> None:
    rng = np.random.default_rng(5)
    prone = rng.beta(1, 8, 80)
    own = {f"{i}": (int(x), 20) for i, x in enumerate(rng.binomial(20, prone))}
    base = {f"{i}": (int(x), 20) for i, x in enumerate(rng.binomial(20, prone))}
    apart = {f"{i}": base[f"{(i + 40) % 80}"] for i in range(80)}
    (low, high), (low_apart, high_apart) = (rate_difference_interval(own, o) or (0, 0) for o in (base, apart))
    assert high - low < 0.8 * (high_apart - low_apart)


def test_differences_use_the_shared_transcripts_alone() -> None:
    own: dict[str, Cluster] = {f"{i}": (i % 3, 5) for i in range(10)}
    base: dict[str, Cluster] = {f"{i}": (i % 2, 5) for i in range(10)}
    more: dict[str, Cluster] = {"x": (5, 5), "y": (0, 0)}
    assert rate_difference_interval({**own, **more}, base) == rate_difference_interval(own, base)
    assert difference_p_value(own, {**base, **more}) == difference_p_value(own, base)
    assert rate_difference_interval(own, more) is None
    assert mean_difference_interval(own, more, scale=100) is None


def test_nothing_on_both_sides_is_not_certain() -> None:
    nothing: dict[str, Cluster] = {f"{i}": (0, 30) for i in range(60)}
    low, high = rate_difference_interval(nothing, nothing) or (0, 0)
    assert low == -high
    assert 0.005 < high < 0.02
    assert difference_p_value(nothing, nothing) == 1.0


def test_p_values_are_near_the_paired_t_test_where_counts_are_large() -> None:
    rng = np.random.default_rng(2)
    prone = rng.beta(3, 7, 400)
    a, b = rng.binomial(10, prone), rng.binomial(10, 0.85 * prone)
    expected = stats.ttest_rel(a, b).pvalue
    own, base = ({f"{i:03}": (int(x), 10) for i, x in enumerate(side)} for side in (a, b))
    assert 1e-5 < expected < 0.1
    assert difference_p_value(own, base) == pytest.approx(expected, rel=0.2)


@pytest.mark.parametrize("seed", range(20))
def test_p_values_and_intervals_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prone = rng.beta(1, 12, (2, 30))
    own, base = ({f"{i}": (int(x), 8) for i, x in enumerate(rng.binomial(8, side))} for side in prone)
    p = difference_p_value(own, base)
    assert p is not None
    for confidence in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        low, high = rate_difference_interval(own, base, confidence=confidence) or (0, 0)
        assert (low <= 0 <= high) == (p > 1 - confidence)


def test_a_flip_in_every_transcript_is_beyond_chance() -> None:
    own: dict[str, Cluster] = {f"{i}": (1, 5) for i in range(30)}
    base: dict[str, Cluster] = {f"{i}": (0, 5) for i in range(30)}
    assert 1e-12 <= (difference_p_value(own, base) or 1) < 1e-4
    assert difference_p_value({"0": (1, 5)}, base) is None


@pytest.mark.parametrize(
    ("attributes", "rate", "least"),
    [
        (2, 0.01, 0.92),
        (2, 0.02, 0.93),
        (2, 0.05, 0.93),
        (2, 0.2, 0.93),
        (6, 0.01, 0.92),
        (6, 0.05, 0.93),
        (6, 0.2, 0.93),
    ],
)
def test_rates_are_covered(attributes: int, rate: float, least: float) -> None:
    assert rate_coverage(Design(attributes=attributes), rate, repeats=600, seed=11).covered >= least


def test_taking_comparisons_as_independent_would_not_cover() -> None:
    assert pooled_wilson_coverage(Design(), 0.05, repeats=600, seed=11).covered < 0.8


@pytest.mark.parametrize(
    "coverage",
    [
        lambda **how: excess_coverage(Design(), 0.05, 0.05, **how),
        lambda **how: excess_coverage(Design(), 0.12, 0.02, **how),
        lambda **how: direction_coverage(Design(), 0.03, 0.01, **how),
        lambda **how: masd_coverage(Design(), 5.0, 1.0, **how),
        lambda **how: masd_excess_coverage(Design(), 8.0, 5.0, **how),
    ],
)
def test_differences_and_means_are_covered(coverage: Callable[..., Coverage]) -> None:
    assert coverage(repeats=600, seed=11).covered >= 0.93
