"""E-processes: evidence against a null hypothesis that may be read after every transcript.

Each function gives the logarithm of an e-process, one value for each observation: a non-negative process whose
expectation under the null is at most 1 at every stopping time, so that the probability that it ever exceeds 1/alpha
is alpha at most (Ville). Observations are fractions in [0, 1], one a transcript, independent of each other; their
distribution is free. All are functions of the observations alone: the same sequence gives the same values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

BLOCKS = (2, 4, 6, 12, 24, 32)
"""How many old transcripts are spent on one new one; the best choice depends on how many there are."""

ODDS = (1.5, 2.2, 3.5)
"""Alternatives: the new rate's odds relative to the old one's."""

STAKES = tuple(0.9 * 2.0**-i for i in range(10))
"""Shares of what may be staked at most on the excess, from bold to careful."""

_TRAINING_SHARE = 10
_TRAINING_MOST = 1000

START_EVERY = 500
"""A silent change is looked for from every such transcript on."""

_SILENT_BLOCKS = (6, 16)
_SILENT_PAST = 8192
_SILENT_HORIZON = 3000


def drift_evidence(
    before: ArrayLike,
    after: ArrayLike,
    *,
    blocks: Iterable[int] = BLOCKS,
    odds: Iterable[float] = ODDS,
) -> Floats:
    """Evidence that the mean rose, where both means are unknown: one value for each observation of `after`.

    The null: one common mean, whatever it is. A block takes m old observations and one new one, and multiplies by

        prod f(x_i; ta, t0) * f(y; tb, t0),   f(x; t, t0) = x t/t0 + (1-x)(1-t)/(1-t0),   t0 = (m ta + tb)/(m + 1)

    which has expectation at most 1 under any common mean (Turner, Ly and Grünwald, generic e-variables for exact
    sequential k-sample tests; affine in x, so fractions take the place of bits). ta is estimated from the old ones
    already used, tb has some odds relative to it. The mean over the choices of m and of the odds is an e-process too.
    A tenth of the old ones, 1,000 at most, only serve the first estimate of ta.
    """
    old, new = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    return _mean(_paths(old, new, tuple(blocks), tuple(odds)))


def silent_evidence(observations: ArrayLike) -> Floats:
    """Evidence that the mean rose somewhere on the way: one value for each observation.

    A weighted mean of `drift_evidence` over start times, 500 apart: from start j on, what came before is the old. The
    weights 1/(j (j+1)) add up to less than 1 however long it goes on, and the rest stays with 1. A process that began
    with the first observation would grow deaf to late changes. A start compares 3,000 observations and then rests.
    """
    x = np.asarray(observations, dtype=np.float64)
    n = len(x)
    starts = np.arange(START_EVERY, n, START_EVERY)
    # The weights of all starts that haven't come yet add up to 1/(j+1) after j of them.
    total = -np.log(np.arange(n) // START_EVERY + 1.0)
    rested = np.full(n, -np.inf)
    for j, start in enumerate(starts, start=1):
        new = x[start : start + _SILENT_HORIZON]
        grown = _mean(_paths(x[max(0, start - _SILENT_PAST) : start], new, _SILENT_BLOCKS, ODDS))
        grown -= np.log(j * (j + 1))
        end = start + len(new)
        total[start:end] = np.logaddexp(total[start:end], grown)
        if end < n:
            rested[end] = np.logaddexp(rested[end], grown[-1])
    result: Floats = np.logaddexp(total, np.logaddexp.accumulate(rested)) if n else total
    return result


def excess_evidence(differences: ArrayLike, *, limit: float) -> Floats:
    """Evidence that the mean difference exceeds `limit`: one value for each difference, each in [-1, 1].

    The null: a mean of at most `limit`, in [0, 1). Capital that stakes a share s of what may be lost on every
    difference, prod (1 + s (d - limit) / (1 + limit)), averaged over ten shares (betting: Waudby-Smith and Ramdas,
    JRSS B 86, 2024).
    """
    gains = (np.asarray(differences, dtype=np.float64) - limit) / (1 + limit)
    return _mean(np.array([np.cumsum(np.log1p(stake * gains)) for stake in STAKES]))


def _paths(old: Floats, new: Floats, blocks: Sequence[int], odds: Sequence[float]) -> Floats:
    training = min(len(old) // _TRAINING_SHARE, _TRAINING_MOST)
    known, rest = old[:training], old[training:]
    paths = np.zeros((len(blocks) * len(odds), len(new)))
    for i, m in enumerate(blocks):
        count = min(len(new), len(rest) // m)
        used = rest[: count * m].reshape(count, m)
        before = np.concatenate(([0.0], np.cumsum(used.sum(axis=1))))[:count]
        ta = (known.sum() + before + 0.5) / (training + m * np.arange(count) + 1)
        for k, ratio in enumerate(odds):
            tb = ratio * ta / (1 - ta + ratio * ta)
            t0 = (m * ta + tb) / (m + 1)
            grown = _log_factor(used, ta[:, None], t0[:, None]).sum(axis=1) + _log_factor(new[:count], tb, t0)
            path = paths[i * len(odds) + k]
            path[:count] = np.cumsum(grown)
            # With no old ones left this choice rests where it is.
            path[count:] = path[count - 1] if count else 0.0
    return paths


def _log_factor(x: Floats, t: Floats, t0: Floats) -> Floats:
    result: Floats = np.log(x * (t / t0) + (1 - x) * ((1 - t) / (1 - t0)))
    return result


def _mean(logs: Floats) -> Floats:
    result: Floats = np.logaddexp.reduce(logs, axis=0) - np.log(len(logs))
    return result
