"""A new name written where the agent's stands, in the form and the letter case in which it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from perturbations.data_file import read_words
from perturbations.finding.agent_span import NameSpan
from perturbations.records.edit import Replacement
from perturbations.records.transcript import Turn

_VOWELS = "aefhilmnorsx"
"""Letters whose names begin with a vowel sound: "with an F"."""


@cache
def _alphabet() -> dict[str, str]:
    return {word[0]: word for word in read_words("spelling_alphabet.txt")}


def rename(
    turns: Sequence[Turn], spans: Sequence[NameSpan], *, first: str | None, last: str | None
) -> list[Replacement]:
    """The edits that write this first name and surname at the spans; None: what stands there stays."""
    edits: list[Replacement] = []
    for span in spans:
        new = first if span.part == "first" else last
        if new is None:
            continue
        before = turns[span.turn].text[span.start : span.end]
        after = _written(span, before, new)
        if after != before:
            edits.append(Replacement(turn=span.turn, start=span.start, end=span.end, before=before, after=after))
    return edits


def _written(span: NameSpan, before: str, new: str) -> str:
    if span.form == "initial":
        return new[0].upper() if before.isupper() else new[0].lower()
    if span.form == "spelled":
        return _spelled(before, new)
    if span.form == "alphabet":
        return _by_alphabet(before, new)
    if span.form == "hint":
        return _hinted(before, new)
    return like(before, new)


def like(before: str, new: str) -> str:
    """`new` in the letter case of `before`: small letters, capitals, or as a name is written."""
    if before == before.lower():
        return new.lower()
    if before == before.upper() and sum(letter.isalpha() for letter in before) > 1:
        return new.upper()
    return new[0].upper() + new[1:]


def _letters(before: str, new: str) -> list[str]:
    letters = [letter for letter in new if letter.isalpha()]
    return [letter.upper() if before[0].isupper() else letter.lower() for letter in letters]


def _spelled(before: str, new: str) -> str:
    separator = re.search(r"(?<=\w)(?:[ ]?[-.,][ ]?|\.?[ ])(?=\w(?:\W|$))", before)
    return (separator[0] if separator else " ").join(_letters(before, new))


def _by_alphabet(before: str, new: str) -> str:
    item = re.match(r"[^\W\d_](,? as in | for | like in | like )([^\W\d_]+)", before, re.IGNORECASE)
    link, word = (item[1], item[2]) if item else (" as in ", "alpha")
    following = re.match(r"[,.]?(?: and)? ", before[item.end() :]) if item else None
    names = [like(word, _alphabet().get(letter.lower(), letter)) for letter in new if letter.isalpha()]
    items = [f"{letter}{link}{name}" for letter, name in zip(_letters(before, new), names, strict=True)]
    return (following[0] if following else " ").join(items)


def _hinted(before: str, new: str) -> str:
    letter = new[0].upper() if before[-1].isupper() else new[0].lower()
    article = "an" if letter.lower() in _VOWELS else "a"
    return f"{article.upper() if before[0].isupper() and before[1].isupper() else article} {letter}"
