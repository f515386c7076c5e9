"""How much of a style a text holds: the number of its markers, phrases listed in the row's data file."""

from __future__ import annotations

import re
from functools import cache

from perturbations.style.style_rules import style_rules
from perturbations.text.phrases import masked, phrase_pattern


def style_markers(row: str) -> tuple[str, ...]:
    """The row's marker phrases in lower case, longest first."""
    return tuple(sorted(style_rules(row).markers, key=lambda phrase: (-len(phrase), phrase)))


def count_markers(row: str, text: str) -> int:
    """The number of the row's markers in the text: whole words in any case, none of them counted twice.

    Phrases that only look like a marker don't count, nor do words inside e-mail addresses and URLs.
    """
    looks_like, marker = _patterns(row)
    count = 0
    position = 0
    blanked = masked(text)
    while (phrase := marker.search(blanked, position)) is not None:
        lookalike = looks_like.match(blanked, phrase.start()) if looks_like is not None else None
        count += lookalike is None
        position = (lookalike or phrase).end()
    return count


@cache
def _patterns(row: str) -> tuple[re.Pattern[str] | None, re.Pattern[str]]:
    looks_like = style_rules(row).keep + style_rules(row).not_markers
    return (phrase_pattern(*looks_like) if looks_like else None), phrase_pattern(*looks_like, *style_markers(row))
