"""The rules of the style rows, read from one data file a row."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from perturbations.source import packaged

NEUTRAL = "neutral"
"""The attribute that takes a style out."""

RulePlace = Literal["anywhere", "start", "clause", "question"]


class StyleRule(BaseModel):
    r"""A phrase (see `phrase_pattern`) and what may stand in its place.

    `write` may refer to groups of `find` (`\1`). An empty wording deletes the phrase with the space and comma that
    belong to it; `{.}` ends a sentence and `{,}` sets a comma in turns that have punctuation.

    `at`: anywhere; `start`, where a sentence begins; `clause`, there, after any punctuation or after one of the
    file's `openers`; `question`, anywhere but after one of its `embedders`. `unless` is a phrase that must not stand
    in the same sentence, `after` one that must stand in the turn before, by another speaker. Of the rules of one
    `group` one applies in a sentence. `ends` is the mark that the sentence needs now where it ends with the other.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    find: Annotated[str, Field(min_length=1)]
    write: Annotated[tuple[str, ...], Field(min_length=1)]
    at: RulePlace = "anywhere"
    unless: str | None = None
    after: str | None = None
    group: str | None = None
    ends: Literal[".", "?"] | None = None


class StyleRules(BaseModel):
    """One style row.

    `markers`: the phrases whose number says how much of the style a text holds. `not_markers`: phrases that look like
    a marker and are none ("hard to please"): not counted and not neutralised; `keep`: phrases that no rule touches
    either. `neutral` and `intense`: rules in the order in which they are tried at each place. `share`: the share of
    the places that the intense attribute uses. `patterns`: pieces that stand in phrases as `{name}`. `alone`: what is
    left of a turn that held nothing but markers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    markers: Annotated[tuple[str, ...], Field(min_length=1)]
    not_markers: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    patterns: dict[str, str] = Field(default_factory=dict)
    openers: Annotated[tuple[str, ...], Field(min_length=1)]
    embedders: Annotated[tuple[str, ...], Field(min_length=1)]
    alone: Annotated[tuple[str, ...], Field(min_length=1)]
    share: Annotated[float, Field(gt=0, le=1)]
    neutral: Annotated[tuple[StyleRule, ...], Field(min_length=1)]
    intense: Annotated[tuple[StyleRule, ...], Field(min_length=1)]


@cache
def style_rules(row: str) -> StyleRules:
    """The rules of this style row; raises FileNotFoundError for a row that has none."""
    data = tomllib.loads(packaged(f"{row}.toml").text)
    return StyleRules.model_validate(_filled(data, data.get("patterns", {})))


def _filled(data: Any, patterns: Mapping[str, str]) -> Any:
    """The data with every `{name}` of a pattern replaced by it; braces that quantify or punctuate stay."""
    if isinstance(data, str):
        return re.sub(r"\{([a-z_]+)\}", lambda named: patterns[named[1]], data)
    if isinstance(data, list):
        return [_filled(entry, patterns) for entry in data]
    if isinstance(data, dict):
        return {key: _filled(value, patterns) for key, value in data.items()}
    return data
