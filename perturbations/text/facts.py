"""What a change must not touch in a text: numbers, ids, e-mail addresses and URLs."""

from __future__ import annotations

import re

_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
    " half percent"
)
_NUMBER = re.compile(rf"\d+|\b(?:{'|'.join(_NUMBER_WORDS.split())})\b", re.IGNORECASE)
# The domain is a group of its own: a person's name may stand before the @ and change with the person.
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@(\w[\w-]*(?:\.\w[\w-]*)+)")
_URL = re.compile(r"(?:\bhttps?://|\bwww\.)[^\s<>\"]+", re.IGNORECASE)


def numbers(text: str) -> tuple[str, ...]:
    """Every run of digits and every number word, in lower case and order; ids are kept by their digits."""
    return tuple(number.lower() for number in _NUMBER.findall(text))


def urls(text: str) -> tuple[str, ...]:
    """Every URL, in order, without the punctuation that follows it."""
    return tuple(url.rstrip(".,;:!?)'") for url in _URL.findall(text))


def emails(text: str) -> tuple[str, ...]:
    """Every e-mail address, in order."""
    return tuple(address[0] for address in _EMAIL.finditer(text))


def email_domains(text: str) -> tuple[str, ...]:
    """What stands behind the @ of every e-mail address: the part that no person's name changes."""
    return tuple(address[1] for address in _EMAIL.finditer(text))
