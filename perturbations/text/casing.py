"""Letter case and apostrophes as a turn has them: lower-case speech recognition, chat, capitals."""

from __future__ import annotations

import re
from dataclasses import dataclass

CURLY = "\u2019"
"""The typographic apostrophe."""

_LOOK_BACK = 40


@dataclass(frozen=True)
class TurnCase:
    """How a turn is written: all in capitals, with capitals where they belong, or without; what marks it has."""

    upper: bool
    mixed: bool
    curly: bool
    punctuated: bool


def turn_case(text: str) -> TurnCase:
    """How this turn is written. Three letters or fewer, such as "OK", don't make a turn in capitals."""
    letters = [letter for letter in text if letter.isalpha()]
    upper = len(letters) > 3 and not any(letter.islower() for letter in letters)
    return TurnCase(
        upper=upper,
        mixed=not upper and any(letter.isupper() for letter in letters),
        curly=CURLY in text and "'" not in text,
        punctuated=any(mark in text for mark in ".?!"),
    )


def starts_sentence(text: str, position: int) -> bool:
    """Whether what stands at this position begins a turn, a sentence or a line."""
    before = text[max(0, position - _LOOK_BACK) : position].rstrip(" \t\"'\u201c\u2018(-*")
    return not before or before[-1] in ".!?\n:"


def fit(words: str, case: TurnCase, *, replacing: str, sentence_start: bool) -> str:
    """`words`, written in lower case in a data file, as the turn would write them in the place of `replacing`."""
    fitted = _punctuated(words, case)
    if case.upper:
        return fitted.upper()
    if case.mixed:
        fitted = re.sub(rf"(?<![\w'{CURLY}])i(?![\w-])", "I", fitted)
        # The pronoun's capital says nothing about the place: "and I'd appreciate it if you could" -> "and you can".
        pronoun = re.match(r"I(?!\w)", replacing) is not None
        if replacing[:1].isupper() and (sentence_start or not pronoun):
            fitted = capitalised(fitted)
    return fitted


def _punctuated(words: str, case: TurnCase) -> str:
    fitted = words.replace("{.}", "." if case.punctuated else "").replace("{,}", "," if case.punctuated else "")
    if case.mixed and case.punctuated:
        fitted = re.sub(r"(?<=\. )\w", lambda first: first[0].upper(), fitted)
    return fitted.replace("'", CURLY) if case.curly else fitted


def capitalised(words: str) -> str:
    """The words with the first letter as a capital."""
    for index, letter in enumerate(words):
        if letter.isalpha():
            return words[:index] + letter.upper() + words[index + 1 :]
    return words
