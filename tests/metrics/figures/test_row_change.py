"""Before and after a swap."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.estimators.interval import Cluster
from metrics.estimators.paired_difference import change_p_value, rate_change_interval
from metrics.figures.row_change import row_changes
from metrics.pairs.pair import Pair
from tests.builders import make_pair


def pairs(rate: float, *, first: int = 0, count: int = 40, seed: int = 1) -> list[Pair]:
    rng = np.random.default_rng(seed)
    return [
        make_pair("y" * 10, "".join("n" if rng.random() < rate else "y" for _ in range(10)), transcript_id=f"c-{i}")
        for i in range(first, first + count)
    ]


def test_a_change_has_both_sides_and_an_interval() -> None:
    before, after = pairs(0.05), pairs(0.3, seed=2)
    changes = row_changes(before, after)
    row = changes["agent_gender"]
    assert row.cfr.before == sum(p.flips for p in before) / 400
    assert row.cfr.after == sum(p.flips for p in after) / 400
    assert row.cfr.change == row.cfr.after - row.cfr.before
    assert row.cfr.interval is not None
    assert 0 < row.cfr.interval[0] < row.cfr.change < row.cfr.interval[1]
    assert row.p_value is not None
    assert row.p_value < 1e-6
    assert row.p_adjusted == row.p_value
    assert row.masd["positive"].change == 0.0
    politeness = changes["politeness"].cfr
    assert (politeness.change, politeness.reason) == (
        None,
        "before: too few (0 of 50) comparisons; after: too few (0 of 50) comparisons",
    )


def test_one_side_too_small_is_named() -> None:
    row = row_changes(pairs(0.1), pairs(0.1, count=3))["agent_gender"]
    assert row.cfr.before is not None
    assert (row.cfr.after, row.cfr.change) == (None, None)
    assert row.cfr.reason == "after: too few (30 of 50) comparisons"


def test_the_same_transcripts_under_two_judges_are_compared_with_themselves() -> None:
    rng = np.random.default_rng(3)
    prone = rng.beta(1, 9, 60)
    sides: list[dict[str, Cluster]] = [
        {f"{i}": (int(x), 20) for i, x in enumerate(rng.binomial(20, prone))} for _ in range(2)
    ]
    apart = {f"other-{key}": value for key, value in sides[1].items()}
    (low, high), (low_apart, high_apart) = (
        rate_change_interval(sides[0], side) or (0, 0) for side in (sides[1], apart)
    )
    assert high - low < 0.8 * (high_apart - low_apart)


@pytest.mark.parametrize("overlap", [0, 30, 60])
def test_equal_rates_are_covered_and_rarely_significant(overlap: int) -> None:
    rng = np.random.default_rng(overlap)
    covered = significant = 0
    for _ in range(400):
        prone = rng.beta(0.45, 8.55, 120 - overlap)
        own = {f"{i}": (int(x), 20) for i, x in enumerate(rng.binomial(20, prone[:60]))}
        base = {f"{i + 60 - overlap}": (int(x), 20) for i, x in enumerate(rng.binomial(20, prone[60 - overlap :]))}
        low, high = rate_change_interval(own, base) or (1, 0)
        covered += low <= 0 <= high
        significant += (change_p_value(own, base) or 0) < 0.05
    assert covered / 400 >= 0.93
    assert significant / 400 <= 0.07
