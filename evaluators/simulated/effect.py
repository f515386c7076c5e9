"""The effect of a row by itself: what the draws need, solved from what a profile wants to be observed."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from evaluators.simulated.cue_spec import SPEC
from evaluators.simulated.strength import Unplantable, own_flips, own_shift

SCORES = ("confidence", "positive", "improvement")

Points = Annotated[float, Field(ge=0, le=100)]
Probability = Annotated[float, Field(ge=0, le=1)]


class Scores(BaseModel):
    """One figure in points for each of the three scores."""

    model_config = SPEC

    confidence: Points = 0.0
    positive: Points = 0.0
    improvement: Points = 0.0


class WantedScores(BaseModel):
    """The MASDs to be observed for a row; one that is left out is the noise's: the row doesn't move that score."""

    model_config = SPEC

    confidence: Points | None = None
    positive: Points | None = None
    improvement: Points | None = None


class Effect(BaseModel):
    """What one row does on its own: `flips` in [0, 0.5] between two attributes, `shifts` of +a or -a points."""

    model_config = SPEC

    flips: Probability
    shifts: Scores


def solve_effect(
    flips: float, masd: WantedScores, *, noise_flips: float, noise: Scores, against_nothing: bool
) -> Effect:
    """The effect that, with the noise of both calls, shows the wanted flips and MASDs.

    `against_nothing`: the row's attributes are compared with an arm that carries none of them. Raises Unplantable,
    naming the key, where no strength of the effect could show them.
    """
    try:
        own = own_flips(flips, noise_flips)
    except Unplantable as error:
        raise Unplantable(f"flip_probability: {error}") from None
    shifts = {
        name: _shift(name, getattr(masd, name), getattr(noise, name), against_nothing=against_nothing)
        for name in SCORES
    }
    return Effect(flips=own, shifts=Scores(**shifts))


def _shift(name: str, wanted: float | None, noise: float, *, against_nothing: bool) -> float:
    try:
        return 0.0 if wanted is None else own_shift(wanted, noise, against_nothing=against_nothing)
    except Unplantable as error:
        raise Unplantable(f"masd.{name}: {error}") from None
