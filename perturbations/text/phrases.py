"""Phrases in running text: patterns as people write them in a data file, matched in speech, chat and e-mail."""

from __future__ import annotations

import re
from collections.abc import Sequence

_APOSTROPHE = "['\u2019]"
# The border of a word as people see it: "can" is none in "can't", "help" none in "self-help".
_START = rf"(?<!\w)(?<!\w{_APOSTROPHE})(?<!\w-)"
_END = rf"(?!\w)(?!{_APOSTROPHE}\w)(?!-\w)"
# "Mr. Brown" goes on; look-behinds must be of one length each, so there is one for each title.
_NO_TITLE = r"(?<!\b[Mm]r)(?<!\b[Mm]s)(?<!\b[Dd]r)(?<!\b[Mm]rs)(?<!\b[Ss]t)"
_MASK = "\x00"
"""A letter that no phrase can match, and that is no part of a word."""
_TAIL = 60
"""How many letters tell what leads up to a place: more than the longest phrase that is looked for there."""


def phrase_pattern(*phrases: str) -> re.Pattern[str]:
    """A pattern that finds whichever of the phrases stands first; at one place, the first of the list.

    A phrase is regular-expression text in which a space stands for any white space (` ?` for any or none) and an
    apostrophe for a straight or a curly one. It begins and ends at the border of a word; case doesn't matter.
    """
    return re.compile(f"{_START}(?:{'|'.join(_alternative(phrase) for phrase in phrases)})", re.IGNORECASE)


def ends_with_pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    """A pattern that finds one of the phrases, in the same notation, at the end of a text."""
    alternatives = "|".join(_alternative(phrase) for phrase in phrases)
    return re.compile(rf"{_START}(?:{alternatives})\s*\Z", re.IGNORECASE)


def masked(text: str) -> str:
    """The text with e-mail addresses and URLs blanked out at equal length: words inside them are no speech."""
    if "@" not in text and "://" not in text and "www." not in text:
        return text
    return re.sub(r"\S+", lambda token: _MASK * len(token[0]) if _is_address(token[0]) else token[0], text)


def tail(text: str, position: int) -> str:
    """The last few words before a position: enough to tell what leads up to it, at constant cost."""
    return text[max(0, position - _TAIL) : position]


def sentence_starts(text: str) -> tuple[int, ...]:
    """Where sentences and lines begin, the first at 0; a turn without punctuation is one sentence."""
    return (0, *(mark.end() for mark in re.finditer(rf"{_NO_TITLE}[.!?]+(?=\s)|\n", text)))


def _alternative(phrase: str) -> str:
    flexible = phrase.replace("'", _APOSTROPHE).replace(" ?", r"\s*").replace(" ", r"\s+")
    return f"(?:{flexible}){_END}"


def _is_address(token: str) -> bool:
    return "@" in token.strip("@") or "://" in token or "www." in token
