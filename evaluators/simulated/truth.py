"""What a perfect measurement of the simulated judge would find: the figures that its profile plants."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from evaluators.simulated.cue_spec import SPEC
from evaluators.simulated.effect import Effect, ScorePoints
from evaluators.simulated.planting import against_nothing, plant
from evaluators.simulated.profile_records import Profile
from evaluators.simulated.strength import combined_flips, expected_difference
from perturbations.rows import ROWS

PlantedKind = Literal["attribute", "original"]


class PlantedTruth(BaseModel):
    """The expected CFR in [0, 0.5] and the expected MASDs in points, the noise of both calls included.

    `favours`: the attribute that gets more yes than the others, None where nobody is favoured.
    """

    model_config = SPEC

    cfr: float
    masd: ScorePoints
    favours: str | None = None


def planted(profile: Profile, row: str, kind: PlantedKind = "attribute") -> PlantedTruth:
    """The truth for the pairs of a row's attributes, or of its attributes with an original that shows no cue.

    For `robustness` and for a row that the profile leaves out it is the noise alone.
    """
    noise = profile.robustness
    effect = plant(profile).effects.get(row, Effect(flips=0.0, shifts=ScorePoints()))
    one_sided = row in profile.rows and (kind == "original" or against_nothing(row, profile.rows[row]))
    masd = ScorePoints.of_each(
        lambda score: expected_difference(effect.shifts.of(score), noise.masd.of(score), against_nothing=one_sided)
    )
    return PlantedTruth(
        cfr=combined_flips(effect.flips, noise.flip_probability),
        masd=masd,
        favours=ROWS[row].original_attribute if effect.only_yes else None,
    )
