"""Evidence that may be read at any time."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from metrics.alarms.evidence import BLOCKS, ODDS, drift_evidence, excess_evidence, silent_evidence


@pytest.mark.parametrize("rate", [0.03, 0.3, 0.8])
@pytest.mark.parametrize("block", [1, 3])
def test_drift_has_expectation_one_under_any_common_rate(rate: float, block: int) -> None:
    # All sequences of 9 old bits (none is training) and 3 new ones, weighed by their probability.
    old_count, new_count = 9, 3
    expected = 0.0
    for bits in product((0.0, 1.0), repeat=old_count + new_count):
        weight = math.prod(rate if bit else 1 - rate for bit in bits)
        path = drift_evidence(bits[:old_count], bits[old_count:], blocks=(block,), odds=(2.0,))
        expected += weight * math.exp(path[-1])
    assert expected == pytest.approx(1.0, abs=1e-9) or expected < 1


def test_excess_has_expectation_one_at_its_limit() -> None:
    # Differences of 1, 0 and -1 with a mean of exactly 0.1.
    chances = {1.0: 0.3, 0.0: 0.5, -1.0: 0.2}
    expected = 0.0
    for values in product(chances, repeat=6):
        weight = math.prod(chances[value] for value in values)
        expected += weight * math.exp(excess_evidence(values, limit=0.1)[-1])
    assert expected == pytest.approx(1.0, abs=1e-9)


def test_one_block_by_hand() -> None:
    # 10 old ones, the first of them training; the block has 2 more and one new one.
    old = [1.0] + [0.0, 1.0] + [0.0] * 7
    ta = 1.5 / 2
    tb = 2 * ta / (1 - ta + 2 * ta)
    t0 = (2 * ta + tb) / 3
    expected = (1 - ta) / (1 - t0) * (ta / t0) * (0.4 * tb / t0 + 0.6 * (1 - tb) / (1 - t0))
    assert drift_evidence(old, [0.4], blocks=(2,), odds=(2.0,)) == pytest.approx([math.log(expected)])


def test_without_old_ones_there_is_no_evidence() -> None:
    assert list(drift_evidence([], [1.0] * 5)) == pytest.approx([0.0] * 5)
    assert list(drift_evidence([0.0] * 20, [])) == []


def test_evidence_rests_when_the_old_ones_are_spent() -> None:
    path = drift_evidence([0.0] * 40, [1.0] * 60, blocks=(1,), odds=(2.0,))
    assert path[35] > path[34]
    assert set(path[36:]) == {path[36]}


def test_values_do_not_depend_on_what_comes_later() -> None:
    rng = np.random.default_rng(1)
    x = rng.beta(0.3, 4, 1200)
    assert list(silent_evidence(x[:900])) == pytest.approx(list(silent_evidence(x)[:900]))
    assert list(drift_evidence(x[:500], x[500:700])) == list(drift_evidence(x[:500], x[500:])[:200])
    assert list(excess_evidence(x[:50], limit=0.02)) == list(excess_evidence(x, limit=0.02)[:50])


def test_silent_evidence_is_below_one_before_the_first_start() -> None:
    assert list(silent_evidence([1.0] * 500)) == pytest.approx([0.0] * 500)
    assert silent_evidence([]).size == 0


def test_a_clear_rise_is_found() -> None:
    rng = np.random.default_rng(3)
    old, new = (rng.random(2000) < 0.06).astype(float), (rng.random(600) < 0.2).astype(float)
    assert drift_evidence(old, new).max() > math.log(1000)
    assert drift_evidence(old, (rng.random(600) < 0.03).astype(float)).max() < math.log(20)
    assert silent_evidence(np.concatenate([old, new])).max() > math.log(1000)
    assert excess_evidence(new - (rng.random(600) < 0.06), limit=0.02).max() > math.log(1000)


def test_the_choices_are_what_the_text_says() -> None:
    assert max(BLOCKS) == 32
    assert all(odds > 1 for odds in ODDS)
