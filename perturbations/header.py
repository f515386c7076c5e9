"""Metadata headers (operation 3): templates from a data file, filled with what is drawn for the attribute."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from perturbations.draw import Draw
from perturbations.phrases import phrase_pattern
from perturbations.transcript import Transcript
from perturbations.writer import Change, NotApplicable, Writer

HeaderRenderer = Callable[[Draw, int], str]
"""(draw, number of the try) -> the header."""

TRIES = 20
"""A second draw that comes out equal to the first is drawn again this often."""


class Wording(BaseModel):
    """A value of a header; `unless` is a phrase in an agent turn that it would contradict."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    unless: str | None = None

    def contradicts(self, transcript: Transcript) -> bool:
        """Whether an agent turn holds the phrase that rules this wording out."""
        if self.unless is None:
            return False
        ruled_out = phrase_pattern(self.unless)
        return any(turn.speaker == "agent" and ruled_out.search(turn.text) for turn in transcript.turns)


def header_writer(row: str) -> Writer:
    """The writer of a row whose values are lists of wordings in the data file."""

    def write(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
        options = {
            name: [wording.text for wording in wordings if not wording.contradicts(transcript)]
            for name, wordings in _wordings(row, attribute).items()
        }

        def render(key: Draw, again: int) -> str:
            values = {name: key.pick(texts, f"{name}:{again}") for name, texts in options.items()}
            return fill_layout(row, attribute, values, key, again)

        return distinct_header(render, draw)

    return write


def fill_layout(row: str, attribute: str, values: Mapping[str, str], draw: Draw, again: int) -> str:
    """The row's layout for this draw with the attribute's label and the values in their places.

    The layout is drawn for the transcript and row, not for the attribute, so that the arms of a pair share it.
    `again` counts the tries of `distinct_header`.
    """
    layout = draw.for_attribute("").pick(header_data(row)["layouts"], f"layout:{again}")
    known = {"label": header_label(row, attribute), **values}
    # One pass: a value that holds braces stays a value.
    return re.sub(r"\{(\w+)\}", lambda found: known[found[1]], layout)


def distinct_header(render: HeaderRenderer, draw: Draw) -> Change | NotApplicable:
    """The header of this draw; a placebo's differs from the arm's own, or `no_second_draw`."""
    if draw.draw == 0:
        return Change(header=render(draw, 0))
    first = render(replace(draw, draw=0), 0)
    for again in range(TRIES):
        second = render(draw, again)
        if second != first:
            return Change(header=second)
    return NotApplicable("no_second_draw")


def header_label(row: str, attribute: str) -> str:
    """The line or lines that are the same in every header of this attribute."""
    label: str = header_data(row)["attributes"][attribute]["label"]
    return label


@cache
def header_data(row: str) -> Mapping[str, Any]:
    """The row's table of the data file."""
    text = files("perturbations").joinpath("data", "headers.toml").read_text(encoding="utf-8")
    table: Mapping[str, Any] = tomllib.loads(text)[row]
    return table


@cache
def _wordings(row: str, attribute: str) -> Mapping[str, tuple[Wording, ...]]:
    values = {name: value for name, value in header_data(row)["attributes"][attribute].items() if name != "label"}
    return {
        name: tuple(Wording.model_validate({"text": entry} if isinstance(entry, str) else entry) for entry in value)
        for name, value in values.items()
    }
