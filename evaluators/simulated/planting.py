"""A profile made ready to draw from: each row's own effect, and the room that scores need. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evaluators.simulated.cue_spec import AgentPhrase, HeaderLine
from evaluators.simulated.effect import SCORES, Effect, ScoreName, solve_effect
from evaluators.simulated.phrase_cue import any_phrase
from evaluators.simulated.profile_records import Profile, RowProfile
from evaluators.simulated.strength import Unplantable, call_flips
from perturbations.rows import ROWS

HEADER_CHANNEL = "header"


@dataclass(frozen=True)
class Planting:
    """Everything about a profile that the draws need.

    `effects` and `channels` are per row; `inserted` finds the phrases of all agent_phrase cues. `base_ranges`: where
    each score lies before anything moves it, so that nothing moves it out of 1 to 100 (below 1 a reply's number could
    be read as a fraction). `error`: the probability that one call turns an answer.
    """

    profile: Profile
    effects: Mapping[str, Effect]
    channels: Mapping[str, str]
    inserted: re.Pattern[str] | None
    base_ranges: Mapping[ScoreName, tuple[float, float]]
    error: float


def plant(profile: Profile) -> Planting:
    """The planting of a profile. Raises Unplantable, naming the key, where it asks for what no judge could show."""
    effects = {name: _effect(profile, name, row) for name, row in profile.rows.items()}
    channels = {name: _channel(name, row) for name, row in profile.rows.items()}
    return Planting(
        profile=profile,
        effects=effects,
        channels=channels,
        inserted=any_phrase(row.cue for row in profile.rows.values() if isinstance(row.cue, AgentPhrase)),
        base_ranges={score: _base_range(profile, effects, channels, score) for score in SCORES},
        error=call_flips(profile.robustness.flip_probability),
    )


def against_nothing(row: str, profile: RowProfile) -> bool:
    """Whether one arm of the row's pairs shows no cue at all: the original, in a row that inserts a phrase."""
    return isinstance(profile.cue, AgentPhrase) and ROWS[row].original_attribute is not None


def _channel(row: str, profile: RowProfile) -> str:
    if profile.channel is not None:
        return profile.channel
    return HEADER_CHANNEL if isinstance(profile.cue, HeaderLine) else row


def _effect(profile: Profile, name: str, row: RowProfile) -> Effect:
    if row.turns_to is not None and not against_nothing(name, row):
        raise Unplantable(f"rows.{name}.turns_to: it takes a row whose one attribute is the original, without a cue")
    try:
        return solve_effect(
            row.flip_probability,
            row.masd,
            noise_flips=profile.robustness.flip_probability,
            noise=profile.robustness.masd,
            against_nothing=against_nothing(name, row),
            only_yes=profile.yes_rate if row.turns_to == "no" else None,
        )
    except Unplantable as error:
        raise Unplantable(f"rows.{name}.{error}") from None


def _base_range(
    profile: Profile, effects: Mapping[str, Effect], channels: Mapping[str, str], score: ScoreName
) -> tuple[float, float]:
    largest: dict[str, float] = {}
    for row, effect in effects.items():
        largest[channels[row]] = max(largest.get(channels[row], 0.0), effect.shifts.of(score))
    reach = sum(largest.values()) + profile.robustness.masd.of(score)
    if 1 + reach > 100 - reach:
        raise Unplantable(
            f"masd.{score}: noise and rows move the score by up to {reach:.2f} points either way, but at most 49.5 "
            f"fit between 1 and 100; lower the rows' masd.{score}"
        )
    return 1 + reach, 100 - reach
