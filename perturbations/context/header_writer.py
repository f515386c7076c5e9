"""Metadata headers (operation 3): a row's layouts, filled with what is drawn for the attribute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from perturbations.context.header_words import PLACEHOLDER, HeaderRow
from perturbations.draw import Draw
from perturbations.records.transcript import Transcript
from perturbations.writer import Change, NotApplicable, RowRule

HeaderRenderer = Callable[[Draw, int], str]
"""(draw, number of the try) -> the header."""

TRIES = 20
"""A second draw that comes out equal to the first is drawn again this often."""


def header_rule(row: HeaderRow) -> RowRule:
    """The rule of a row whose values are lists of wordings.

    Not applicable where the transcript contradicts every wording of a value (`header_contradicted`), and for a
    placebo without another header (`no_second_draw`).
    """

    def write(transcript: Transcript, draw: Draw) -> Change | NotApplicable:
        options = {
            name: [wording.text for wording in wordings if not wording.contradicts(transcript)]
            for name, wordings in row.attributes[draw.attribute].values.items()
        }
        if not all(options.values()):
            return NotApplicable("header_contradicted")

        def render(key: Draw, again: int) -> str:
            values = {name: key.pick(texts, f"{name}:{again}") for name, texts in options.items()}
            return fill_layout(row, values, key, again)

        return distinct_header(render, draw)

    return write


def fill_layout(row: HeaderRow, values: Mapping[str, str], draw: Draw, again: int) -> str:
    """The row's layout for this draw with its attribute's label and the values in their places.

    The layout is drawn for the transcript and row, not for the attribute, so that the arms of a pair share it.
    `again` counts the tries of `distinct_header`.
    """
    layout = draw.for_attribute("").pick(row.layouts, f"layout:{again}")
    known = {"label": row.attributes[draw.attribute].label, **values}
    # One pass: a value that holds braces stays a value.
    return PLACEHOLDER.sub(lambda place: known[place[1]], layout)


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
