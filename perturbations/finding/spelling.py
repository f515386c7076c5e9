"""Where something is spelled: letter by letter ("M-A-R-Y", "t a n y a") or by an alphabet ("M as in Mike")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from perturbations.text.word import fold

SpellingForm = Literal["spelled", "alphabet"]

_LETTER = r"(?:double[ -])?[^\W\d_]"
# Two letters at least, with one kind of mark or a blank between; the last begins no word ("M, A, R, York").
_LETTERS = rf"(?<![\w'\u2019-]){_LETTER}(?:(?:[ ]?[-.,][ ]?|\.?[ ]){_LETTER})+(?![\w'\u2019])"
_EXAMPLE = r"[^\W\d_](?:,? as in | for | like in | like )[^\W\d_]+"
_EXAMPLES = rf"(?<!\w){_EXAMPLE}(?:[,.]?(?: and)? {_EXAMPLE})+(?!\w)"

_PATTERNS: dict[SpellingForm, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "spelled": (re.compile(_LETTERS, re.IGNORECASE), re.compile(_LETTER, re.IGNORECASE)),
    "alphabet": (re.compile(_EXAMPLES, re.IGNORECASE), re.compile(_EXAMPLE, re.IGNORECASE)),
}
"""By form, what a whole spelling looks like, and one item of it."""


@dataclass(frozen=True)
class SpelledItem:
    """One item of a spelling: its place, and the key of what it spells, two letters where one is doubled."""

    start: int
    end: int
    letters: str


@dataclass(frozen=True)
class Spelling:
    """A run of two items or more. What it spells may be a name, a part of a longer run, or nothing at all."""

    form: SpellingForm
    items: tuple[SpelledItem, ...]


def find_spellings(text: str) -> tuple[Spelling, ...]:
    """Every spelling in a text, first those by letters, each kind in order."""
    return tuple(
        Spelling(form, tuple(_item(item) for item in one_item.finditer(text, run.start(), run.end())))
        for form, (whole, one_item) in _PATTERNS.items()
        for run in whole.finditer(text)
    )


def _item(item: re.Match[str]) -> SpelledItem:
    if item[0].lower().startswith("double"):
        return SpelledItem(item.start(), item.end(), fold(item[0][-1]) * 2)
    return SpelledItem(item.start(), item.end(), fold(item[0][0]))
