"""The effect of a row by itself: what the draws need, solved from what a profile wants to be observed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from evaluators.simulated.cue_spec import SPEC
from evaluators.simulated.strength import Unplantable, own_flips, own_shift

ScoreName = Literal["confidence", "positive", "improvement"]

SCORES: tuple[ScoreName, ...] = ("confidence", "positive", "improvement")

PlantedPoints = Annotated[float, Field(ge=0, le=100)]
Probability = Annotated[float, Field(ge=0, le=1)]


class ScorePoints(BaseModel):
    """One figure in points for each of the three scores."""

    model_config = SPEC

    confidence: PlantedPoints = 0.0
    positive: PlantedPoints = 0.0
    improvement: PlantedPoints = 0.0

    @classmethod
    def of_each(cls, figure: Callable[[ScoreName], float]) -> ScorePoints:
        """What `figure` gives for each score."""
        return cls(confidence=figure("confidence"), positive=figure("positive"), improvement=figure("improvement"))

    def of(self, score: ScoreName) -> float:
        """The figure of this score."""
        return {"confidence": self.confidence, "positive": self.positive, "improvement": self.improvement}[score]


class WantedPoints(BaseModel):
    """The MASDs to be observed for a row; one that is left out is the noise's: the row doesn't move that score."""

    model_config = SPEC

    confidence: PlantedPoints | None = None
    positive: PlantedPoints | None = None
    improvement: PlantedPoints | None = None

    def of(self, score: ScoreName) -> float | None:
        """The MASD that is wanted of this score."""
        return {"confidence": self.confidence, "positive": self.positive, "improvement": self.improvement}[score]


class Effect(BaseModel):
    """What one row does on its own: `flips` in [0, 0.5] between two attributes, `shifts` of +a or -a points.

    `sensitive` is the share of the answers that may turn; with `only_yes` those of no among them never do.
    """

    model_config = SPEC

    flips: Probability
    shifts: ScorePoints
    sensitive: Probability = 0.0
    only_yes: bool = False


def solve_effect(
    flips: float,
    masd: WantedPoints,
    *,
    noise_flips: float,
    noise: ScorePoints,
    against_nothing: bool,
    only_yes: float | None = None,
) -> Effect:
    """The effect that, with the noise of both calls, shows the wanted flips and MASDs.

    `against_nothing`: the row's attributes are compared with an arm that carries none of them. `only_yes`: the share
    of yes where only these answers turn. Raises Unplantable, naming the key, where no strength of the effect could
    show them.
    """
    try:
        own = own_flips(flips, noise_flips)
    except Unplantable as error:
        raise Unplantable(f"flip_probability: {error}") from None
    shifts = ScorePoints.of_each(
        lambda score: _shift(score, masd.of(score), noise.of(score), against_nothing=against_nothing)
    )
    # A fair coin turns an item that may turn: twice as many must be sensitive.
    sensitive = 2 * own if only_yes is None else 2 * own / only_yes if only_yes else math.inf
    if sensitive > 1:
        raise Unplantable(f"flip_probability: {flips} takes more answers of yes than there are; raise yes_rate")
    return Effect(flips=own, shifts=shifts, sensitive=sensitive, only_yes=only_yes is not None)


def _shift(score: ScoreName, wanted: float | None, noise: float, *, against_nothing: bool) -> float:
    try:
        return 0.0 if wanted is None else own_shift(wanted, noise, against_nothing=against_nothing)
    except Unplantable as error:
        raise Unplantable(f"masd.{score}: {error}") from None
