"""A new name written where the agent's stands, in the form and the letter case in which it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from perturbations.data_file import read_words
from perturbations.finding.agent_span import NameSpan
from perturbations.records.edit import Replacement

_VOWELS = "aefhilmnorsx"
"""Letters whose names begin with a vowel sound: "with an F"."""


@cache
def _alphabet() -> dict[str, str]:
    return {word[0]: word for word in read_words("spelling_alphabet.txt")}


def rename(spans: Sequence[NameSpan], *, first: str | None, last: str | None) -> list[Replacement]:
    """The edits that write this first name and surname at the spans; None: what stands there stays."""
    edits: list[Replacement] = []
    for span in spans:
        new = first if span.part == "first" else last
        after = _written(span, new) if new is not None else span.text
        if after != span.text:
            edits.append(Replacement(turn=span.turn, start=span.start, end=span.end, before=span.text, after=after))
    return edits


def _written(span: NameSpan, new: str) -> str:
    match span.form:
        case "initial":
            return new[0].upper() if span.text.isupper() else new[0].lower()
        case "spelled":
            return _spelled(span.text, new)
        case "alphabet":
            return _by_alphabet(span.text, new)
        case "hint":
            return _hinted(span.text, new)
        case "name":
            return like(span.text, new)


def like(before: str, new: str) -> str:
    """`new` in the letter case of `before`: small letters, capitals, or as a name is written."""
    if before == before.lower():
        return new.lower()
    if before == before.upper() and sum(letter.isalpha() for letter in before) > 1:
        return new.upper()
    return new[0].upper() + new[1:]


def _letters(before: str, new: str) -> list[str]:
    """The letters of the new name, all in the case of the first one that stands there; no hyphens, no apostrophes."""
    letters = [letter for letter in new if letter.isalpha()]
    return [letter.upper() if before[0].isupper() else letter.lower() for letter in letters]


def _spelled(before: str, new: str) -> str:
    """Letter by letter, with what stands between the first two letters between all of them."""
    # Where each letter has a full stop ("M. A. R. Y"), the separator holds it; the last one isn't in the span.
    separator = re.search(r"(?<=\w)(?:[ ]?[-.,][ ]?|\.?[ ])(?=\w(?:\W|$))", before)
    return (separator[0] if separator else " ").join(_letters(before, new))


def _by_alphabet(before: str, new: str) -> str:
    """By the alphabet, with the link ("as in", "for") and the separator of the first item."""
    item = re.match(r"[^\W\d_](,? as in | for | like in | like )([^\W\d_]+)", before, re.IGNORECASE)
    link, word = (item[1], item[2]) if item else (" as in ", "alpha")
    following = re.match(r"[,.]?(?: and)? ", before[item.end() :]) if item else None
    names = [like(word, _alphabet().get(letter.lower(), letter)) for letter in new if letter.isalpha()]
    items = [f"{letter}{link}{name}" for letter, name in zip(_letters(before, new), names, strict=True)]
    return (following[0] if following else " ").join(items)


def _hinted(before: str, new: str) -> str:
    """A hint at the first letter of the new name, with the article that its sound asks for: "an F", "A K"."""
    letter = new[0].upper() if before[-1].isupper() else new[0].lower()
    article = "an" if letter.lower() in _VOWELS else "a"
    return f"{article.upper() if before[0].isupper() and before[1].isupper() else article} {letter}"
