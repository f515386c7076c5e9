"""E-mail addresses, whosever they are: "priya.sharma@example.com", "priya dot sharma at example dot com"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perturbations.text.word import fold

_ADDRESS = re.compile(r"(?<![\w.+-])([\w.+-]{1,64})@[\w-]+(?:\.[\w-]+)+")
# What makes an address the speaker's own: "write to me at", or a place below the text or behind a bar, as in a
# signature. Between "my" and the address no sentence ends and no other address stands.
_OFFER = re.compile(
    r"\b(?:my|me|us|write|reach|contact|email|e-mail|reply)\b[^.!?\n@]{0,60}$|^[^@]*\n[^@]*$|[|•·][^@]*$", re.I
)
_LEAD = 120
"""How many letters before an address are looked at: the words above stand close, and a long turn costs no more."""
_SPOKEN = re.compile(r"(?<!\w)([^\W\d_]+) (dot|underscore|dash) ([^\W\d_]+) at (?=\w+ dot \w+)", re.IGNORECASE)


@dataclass(frozen=True)
class EmailAddress:
    """An address that begins at `start`.

    `whole` is the address in lower case. `user` is the key of the part before the @; empty where folding would move
    its letters, since a place in it would not be one in the text. `is_offered`: words or place make it the speaker's.
    """

    start: int
    whole: str
    user: str
    is_offered: bool


@dataclass(frozen=True)
class SpokenWord:
    """A word of an address that is said aloud, with its key."""

    start: int
    end: int
    key: str


@dataclass(frozen=True)
class SpokenAddress:
    """An address that is said aloud, by the two words before its "at"."""

    first: SpokenWord
    last: SpokenWord


def find_addresses(text: str) -> tuple[EmailAddress, ...]:
    """Every written address in a text, in order."""
    return tuple(_address(text, match) for match in _ADDRESS.finditer(text))


def find_spoken_addresses(text: str) -> tuple[SpokenAddress, ...]:
    """Every address of two words that is said aloud, in order."""
    return tuple(SpokenAddress(_spoken_word(match, 1), _spoken_word(match, 3)) for match in _SPOKEN.finditer(text))


def _address(text: str, match: re.Match[str]) -> EmailAddress:
    user = fold(match[1])
    lead = text[max(0, match.start() - _LEAD) : match.start()]
    return EmailAddress(
        start=match.start(),
        whole=match[0].lower(),
        user=user if len(user) == len(match[1]) else "",
        is_offered=_OFFER.search(lead) is not None,
    )


def _spoken_word(match: re.Match[str], group: int) -> SpokenWord:
    return SpokenWord(match.start(group), match.end(group), fold(match[group]))
