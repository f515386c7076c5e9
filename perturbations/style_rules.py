"""The rules of the style rows, read from one data file a row."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Place = Literal["anywhere", "clause", "question"]


class Rule(BaseModel):
    r"""A phrase (see `phrase_pattern`) and what may stand in its place.

    `write` may refer to groups of `find` (`\1`). An empty wording deletes the phrase with the space and comma that
    belong to it. `at`: anywhere; `clause`, where a clause begins (after nothing, punctuation, or one of the file's
    `openers`); `question`, anywhere but after one of its `embedders`. `unless` is a phrase that must not stand in the
    same sentence. Of the rules of one `group` one applies in a sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    find: Annotated[str, Field(min_length=1)]
    write: Annotated[tuple[str, ...], Field(min_length=1)]
    at: Place = "anywhere"
    unless: str | None = None
    group: str | None = None


class StyleRules(BaseModel):
    """One style row.

    `markers`: the phrases whose number says how much of the style a text holds. `not_markers`: phrases that look like
    a marker and are none ("hard to please"): neither counted nor changed. `neutral` and `intense`: rules in the order
    in which they are tried at each place. `share`: the share of the places that the intense attribute uses.
    `alone`: what is left of a turn that held nothing but markers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    markers: Annotated[tuple[str, ...], Field(min_length=1)]
    not_markers: tuple[str, ...] = ()
    openers: Annotated[tuple[str, ...], Field(min_length=1)]
    embedders: Annotated[tuple[str, ...], Field(min_length=1)]
    alone: Annotated[tuple[str, ...], Field(min_length=1)]
    share: Annotated[float, Field(gt=0, le=1)]
    neutral: Annotated[tuple[Rule, ...], Field(min_length=1)]
    intense: Annotated[tuple[Rule, ...], Field(min_length=1)]


@cache
def style_rules(row: str) -> StyleRules:
    """The rules of this style row; raises FileNotFoundError for a row that has none."""
    text = files("perturbations").joinpath("data", f"{row}.toml").read_text(encoding="utf-8")
    return StyleRules.model_validate(tomllib.loads(text))
