"""Whether the arms of a transcript are exchangeable: a permutation test of who is favoured."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FIRST_DRAWS = 999
"""So many permutations are drawn first; where p isn't small they are enough."""

MORE_DRAWS = 9_000
"""So many more where p is small enough to matter after adjustment."""

WORTH_MORE = 0.03

MOST_ENUMERATED = 1_000
"""Where there are no more permutations than that, p is exact, over all of them."""

MOST_PERMUTED = 500
"""From so many transcripts on the sums under permutation are drawn as what they then are: normal."""

_SEED = 20_260_214


def exchangeability_p_value(gains: Floats, counts: Floats) -> float | None:
    """One p-value of no arm being favoured, against any arm being favoured or disfavoured, in (0, 1].

    `gains[t, c]`: what arm c gains on the others in transcript t, its rows adding up to 0; `counts[t, c]`: over how
    many comparisons, 0 where the arm is missing. The statistic is the largest |sum of gains / sum of counts| over the
    arms. Under the null a transcript's arms can be exchanged: gains with their counts are permuted among the arms
    that the transcript has, each transcript by itself, and p is the share of permutations with at least so large a
    statistic, of all of them where they are few, else of drawn ones and the observed one: one test for all arms,
    whatever the dependence between them (Westfall and Young, Resampling-Based Multiple Testing, 1993; the observed
    one added: Phipson and Smyth, SAGMB 9, 2010). None where no transcript has two arms. The draws are fixed: equal
    input in equal order gives equal p.
    """
    usable = (counts > 0).sum(axis=1) >= 2
    gains, counts = np.where(counts > 0, gains, 0.0)[usable], counts[usable]
    if not len(gains):
        return None
    observed = _statistic(gains.sum(axis=0), counts.sum(axis=0))
    # Sums of gains in another order differ in their last digits.
    observed = observed - 1e-9 * max(observed, 1.0)
    every = _enumerated_sums(gains, counts)
    if every is not None:
        return _exceeding(every, observed) / len(every[0])
    draw = _normal_sums if len(gains) > MOST_PERMUTED else _permuted_sums
    rng = np.random.default_rng(_SEED)
    exceeding, draws = _exceeding(draw(gains, counts, rng, FIRST_DRAWS), observed), FIRST_DRAWS
    if exceeding + 1 <= WORTH_MORE * (draws + 1):
        exceeding += _exceeding(draw(gains, counts, rng, MORE_DRAWS), observed)
        draws += MORE_DRAWS
    return (exceeding + 1) / (draws + 1)


_Sums = tuple[Floats, Floats]
"""Sums of gains and of counts, a row a draw, a column an arm."""


def _exceeding(sums: _Sums, observed: float) -> int:
    gains, counts = sums
    return int((_statistics(gains, counts) >= observed).sum())


def _statistic(gains: Floats, counts: Floats) -> float:
    return float(_statistics(gains[None, :], counts[None, :])[0])


def _statistics(gains: Floats, counts: Floats) -> Floats:
    rates = np.divide(np.abs(gains), counts, out=np.zeros_like(gains), where=counts > 0)
    result: Floats = rates.max(axis=1)
    return result


def _enumerated_sums(gains: Floats, counts: Floats) -> _Sums | None:
    sums = np.zeros((1, gains.shape[1])), np.zeros((1, gains.shape[1]))
    for own_gains, own_counts in zip(gains, counts, strict=True):
        present = np.flatnonzero(own_counts > 0)
        orders = present[_orders(len(present))]
        if len(sums[0]) * len(orders) > MOST_ENUMERATED:
            return None
        grown = []
        for total, own in zip(sums, (own_gains, own_counts), strict=True):
            added = np.zeros((len(orders), gains.shape[1]))
            added[:, present] = own[orders]
            grown.append((total[:, None, :] + added[None, :, :]).reshape(-1, gains.shape[1]))
        sums = grown[0], grown[1]
    return sums


def _permuted_sums(gains: Floats, counts: Floats, rng: np.random.Generator, draws: int) -> _Sums:
    arms = gains.shape[1]
    sums = np.zeros((draws, arms)), np.zeros((draws, arms))
    for own_gains, own_counts in zip(gains, counts, strict=True):
        present = np.flatnonzero(own_counts > 0)
        orders = _orders(len(present))
        drawn = present[orders[rng.integers(0, len(orders), draws)]]
        sums[0][:, present] += own_gains[drawn]
        sums[1][:, present] += own_counts[drawn]
    return sums


@cache
def _orders(arms: int) -> NDArray[np.int64]:
    return np.array(list(permutations(range(arms))))


def _normal_sums(gains: Floats, counts: Floats, rng: np.random.Generator, draws: int) -> _Sums:
    # A permuted transcript's gains have mean 0 (they add up to 0), variance s^2 = sum g^2 / k in each of its k arms
    # and covariance -s^2 / (k-1) between two of them.
    present = (counts > 0).astype(np.float64)
    arms = present.sum(axis=1)
    variance = (gains**2).sum(axis=1) / arms
    between = -(present * (variance / (arms - 1))[:, None]).T @ present
    covariance = between - np.diag(np.diag(between)) + np.diag((present * variance[:, None]).sum(axis=0))
    drawn = rng.multivariate_normal(np.zeros(gains.shape[1]), covariance, draws, method="eigh")
    expected = (present * (counts.sum(axis=1) / arms)[:, None]).sum(axis=0)
    return drawn, np.broadcast_to(expected, drawn.shape)
