"""The profile's records: what is to be observed of a simulated judge, row by row, and by which cues."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, field_validator

from evaluators.simulated.cue_spec import SPEC, CueSpec
from evaluators.simulated.effect import Probability, ScorePoints, WantedPoints
from perturbations.rows import ROWS

Seconds = Annotated[float, Field(ge=0, le=3600)]


class Noise(BaseModel):
    """The judge's own noise, as two calls on the same original show it."""

    model_config = SPEC

    flip_probability: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    masd: ScorePoints = ScorePoints()


class RowProfile(BaseModel):
    """What is to be observed between two attributes of a row, noise included.

    Rows of one `channel` are never at work at once: the first in the profile's order whose cue is there decides, and
    the others do nothing. Header rows share a channel; every other row has its own unless the profile says otherwise.
    `turns_to` no: only answers of yes are turned, so that the arm without a cue is favoured; for rows whose one
    attribute is the original without any.
    """

    model_config = SPEC

    flip_probability: Annotated[float, Field(ge=0, le=0.5)]
    masd: WantedPoints = WantedPoints()
    cue: CueSpec
    channel: Annotated[str, Field(min_length=1)] | None = None
    turns_to: Literal["no"] | None = None


class Slow(BaseModel):
    """A call whose text contains the phrase takes so long."""

    model_config = SPEC

    contains: Annotated[str, Field(min_length=1)]
    seconds: Seconds


class Profile(BaseModel):
    """A simulated judge.

    `yes_rate` is the share of yes before any row's effect and noise, `na_rate` the share of na where a question
    allows it. Refusals and latencies are for tests of what happens around a judge.
    """

    model_config = SPEC

    served_model: Annotated[str, Field(min_length=1)] = "simulated-1"
    seed: int = 0
    yes_rate: Probability = 0.7
    na_rate: Probability = 0.0
    robustness: Noise = Noise()
    rows: dict[str, RowProfile] = Field(default_factory=dict)
    refusal_probability: Probability = 0.0
    latency_seconds: Seconds = 0.0
    slow: tuple[Slow, ...] = ()

    @field_validator("rows")
    @classmethod
    def _known_rows(cls, rows: dict[str, RowProfile]) -> dict[str, RowProfile]:
        for name in rows:
            if name not in ROWS:
                raise ValueError(f"{name} is no row; rows are {', '.join(ROWS)}")
        return rows
