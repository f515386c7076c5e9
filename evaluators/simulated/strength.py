"""How strong a planted effect must be for a wanted figure to be observed, and the other way round.

Two calls on two arms differ by the row's effect and by the noise of both calls together. A profile says what is to be
observed; the draws need the effect alone.

Flips: the effect changes the answer between two arms with probability p, independently the noise does with m; an
even number of changes is none. Scores: the noise of a call is +s or -s, an attribute moves the score by +a or -a,
each sign fair and drawn on its own; without an attribute (the arm without a header, say) nothing moves.
"""

from __future__ import annotations

import math
from itertools import product


class Unplantable(ValueError):
    """A figure that no strength of the effect could make observable."""


def combined_flips(*probabilities: float) -> float:
    """The probability of an odd number of independent changes, in [0, 0.5] for probabilities in [0, 0.5]."""
    same = math.prod(1 - 2 * p for p in probabilities)
    return (1 - same) / 2


def own_flips(observed: float, noise: float) -> float:
    """The effect's own p, so that combined_flips(p, noise) is what is observed.

    Raises Unplantable where `observed` lies below the noise or above 0.5 (a fair coin in every comparison).
    """
    if observed < noise:
        raise Unplantable(f"{observed} lies below the noise of {noise} between repeats")
    if observed > 0.5:
        raise Unplantable(f"{observed} is above 0.5, where the second arm's answer is a coin")
    if noise == 0.5:
        return 0.0
    return (observed - noise) / (1 - 2 * noise)


def call_flips(between_calls: float) -> float:
    """How often one call must err for two calls to differ with probability `between_calls` (in [0, 0.5])."""
    return (1 - math.sqrt(1 - 2 * between_calls)) / 2


def expected_difference(shift: float, noise: float, *, against_nothing: bool = False) -> float:
    """E|score in one arm - score in the other|, in points: every combination of signs is equally likely.

    `against_nothing`: one of the arms has no attribute, so that its score doesn't move.
    """
    other = (0.0,) if against_nothing else (-shift, shift)
    differences = [
        abs(a + first - b - second)
        for a, b, first, second in product((-shift, shift), other, (-noise, noise), (-noise, noise))
    ]
    return math.fsum(differences) / len(differences)


def own_shift(observed: float, noise: float, *, against_nothing: bool = False) -> float:
    """The shift a >= 0 in points, so that expected_difference(a, noise) is what is observed.

    From the enumeration of signs, between two attributes: s + a/2 up to a = s, then a + s/2; against nothing:
    s + a/2 up to a = 2s, then a. Raises Unplantable where `observed` lies below the noise's own difference s.
    """
    if observed < noise:
        raise Unplantable(f"{observed} points lie below the noise of {noise} points between repeats")
    if observed < noise * (2 if against_nothing else 1.5):
        return 2 * (observed - noise)
    return observed if against_nothing else observed - noise / 2
