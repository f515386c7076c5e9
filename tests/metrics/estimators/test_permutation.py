"""Whether arms are exchangeable: by hand, by enumeration, and the test's size."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.estimators.permutation import exchangeability_p_value

Floats = NDArray[np.float64]


def two_arms(*gained: float) -> Floats:
    return np.array([[x, -x] for x in gained])


def test_two_arms_are_a_sign_test_of_the_sum() -> None:
    gained = (3.0, 2.0, 1.0, 1.0, -1.0, 2.0)
    # Of all 64 choices of signs: those with a sum as far from 0 as 8.
    signed = [abs(sum(s * x for s, x in zip(signs, gained, strict=True))) for signs in product((1, -1), repeat=6)]
    exact = sum(total >= 8 for total in signed) / 64
    assert exchangeability_p_value(two_arms(*gained), np.full((6, 2), 10.0)) == exact


def test_drawn_permutations_give_about_what_all_of_them_give() -> None:
    gained = (3.0, 2.0, 1.0, 1.0, -1.0, 2.0, 1.0, 1.0, -2.0, 1.0, 0.0, 2.0)
    signed = [abs(sum(s * x for s, x in zip(signs, gained, strict=True))) for signs in product((1, -1), repeat=12)]
    exact = sum(total >= 11 for total in signed) / 2**12
    p = exchangeability_p_value(two_arms(*gained), np.full((12, 2), 10.0))
    assert p == pytest.approx(exact, abs=0.03)


def test_a_gain_in_every_transcript_is_as_small_as_the_draws_allow() -> None:
    assert exchangeability_p_value(two_arms(*[2.0] * 40), np.full((40, 2), 10.0)) == pytest.approx(1e-4)
    assert exchangeability_p_value(two_arms(*[2.0] * 900), np.full((900, 2), 10.0)) == pytest.approx(1e-4)


def test_nothing_gained_is_1_and_nothing_compared_none() -> None:
    assert exchangeability_p_value(np.zeros((30, 3)), np.full((30, 3), 9.0)) == 1.0
    assert exchangeability_p_value(np.zeros((4, 2)), np.zeros((4, 2))) is None
    assert exchangeability_p_value(two_arms(1.0), np.array([[3.0, 0.0]])) is None
    assert exchangeability_p_value(np.zeros((0, 2)), np.zeros((0, 2))) is None


def test_many_transcripts_give_what_permuting_them_gives() -> None:
    rng = np.random.default_rng(3)
    for shift in (0.0, 0.12, 0.2):
        yes = rng.binomial(30, 0.7, (500, 4)).astype(float)
        yes[:, 2] += shift * rng.binomial(30, 0.1, 500)
        gains = 4 * yes - yes.sum(axis=1, keepdims=True)
        few, many = (
            exchangeability_p_value(g, np.full(g.shape, 90.0)) for g in (gains, np.vstack([gains, np.zeros((1, 4))]))
        )
        assert few is not None
        assert many == pytest.approx(few, abs=0.03)


@pytest.mark.parametrize("transcripts", [25, 600])
def test_arms_alike_are_told_apart_as_often_as_the_level_says(transcripts: int) -> None:
    rng = np.random.default_rng(11)
    small = 0
    for _ in range(400):
        missing = rng.random((transcripts, 5)) < 0.1
        yes = np.where(missing, 0, rng.binomial(12, rng.beta(4, 2, (transcripts, 1)), (transcripts, 5))).astype(float)
        present = (~missing).astype(float)
        arms = present.sum(axis=1, keepdims=True)
        gains = (arms * yes - yes.sum(axis=1, keepdims=True)) * present
        p = exchangeability_p_value(gains, present * (arms - 1) * 12)
        small += p is not None and p <= 0.05
    # 5 % of 400 with a standard deviation of 4.4.
    assert small <= 33
    assert small >= 8
