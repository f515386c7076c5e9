"""Metadata headers (operation 3): templates from a data file, filled with what is drawn for the attribute."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from perturbations.draw import Draw
from perturbations.transcript import Transcript
from perturbations.writer import Change, NotApplicable, Writer

HeaderRenderer = Callable[[Draw, int], str]
"""(draw, number of the try) -> the header."""

DRAWS = 20
"""A second draw that comes out equal to the first is drawn again this often."""


def header_writer(row: str) -> Writer:
    """The writer of a row whose values are lists of wordings in the data file."""

    def write(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
        return distinct_header(lambda key, again: _worded(row, attribute, key, again), draw)

    return write


def fill_layout(row: str, attribute: str, values: Mapping[str, str], draw: Draw, again: int) -> str:
    """The row's layout for this draw with the attribute's label and the values in their places.

    The layout is drawn for the transcript and row, not for the attribute, so that the arms of a pair share it.
    `again` counts the tries of `distinct_header`.
    """
    layout = draw.for_attribute("").pick(header_data(row)["layouts"], f"layout:{again}")
    known = {"label": header_data(row)["attributes"][attribute]["label"], **values}
    # One pass: a value that holds braces stays a value.
    return re.sub(r"\{(\w+)\}", lambda found: known[found[1]], layout)


def distinct_header(render: HeaderRenderer, draw: Draw) -> Change | NotApplicable:
    """The header of this draw; a placebo's differs from the arm's own, or `no_second_draw`.

    `render(draw, again)` gives the header's text for a draw and the number of the try.
    """
    if draw.draw == 0:
        return Change(header=render(draw, 0))
    first = render(replace(draw, draw=0), 0)
    for again in range(DRAWS):
        second = render(draw, again)
        if second != first:
            return Change(header=second)
    return NotApplicable("no_second_draw")


@cache
def header_data(row: str) -> Mapping[str, Any]:
    """The row's table of the data file."""
    text = files("perturbations").joinpath("data", "headers.toml").read_text(encoding="utf-8")
    table: Mapping[str, Any] = tomllib.loads(text)[row]
    return table


def _worded(row: str, attribute: str, draw: Draw, again: int) -> str:
    options = header_data(row)["attributes"][attribute]
    values = {name: draw.pick(wordings, f"{name}:{again}") for name, wordings in options.items() if name != "label"}
    return fill_layout(row, attribute, values, draw, again)
