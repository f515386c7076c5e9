"""Words of a turn with their places, and the key under which two spellings are the same word."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_LETTERS = "[^\\W\\d_](?:[^\\W\\d_]|[\u0300-\u036f])*"
_WORD = re.compile(rf"(?<!\w){_LETTERS}(?:[-'\u2019]{_LETTERS})*['\u2019]?(?!\w)")


@dataclass(frozen=True)
class Word:
    """One word of a turn: `text[start:end]`, without a possessive ending.

    `key` is the word in lower case without accents. `whole` is the key with the possessive ending ("it's").
    """

    start: int
    end: int
    text: str
    key: str
    whole: str

    @property
    def is_capitalised(self) -> bool:
        """Whether the word begins with a capital."""
        return self.text[0].isupper()

    @property
    def is_possessive(self) -> bool:
        """Whether a possessive ending (or a short "is") follows the word: "Mary's"."""
        return self.whole != self.key


def fold(word: str) -> str:
    """The word in lower case, without accents, with straight apostrophes."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).replace("\u2019", "'")


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text in order: letters with accents, inner hyphens and apostrophes; never parts of ids."""
    return tuple(_word(match) for match in _WORD.finditer(text))


def _word(match: re.Match[str]) -> Word:
    text, start = match[0], match.start()
    whole = fold(text)
    if text[-1] in "'\u2019":
        text = text[:-1]
    elif len(text) > 2 and fold(text[-2:]) == "'s":
        text = text[:-2]
    return Word(start, start + len(text), text, fold(text), whole.rstrip("'"))


def gap(text: str, left: Word, right: Word) -> str:
    """What stands between two words of a text."""
    return text[left.end : right.start]


@lru_cache(maxsize=32)
def is_cased(text: str) -> bool:
    """Whether capitals in this text tell something: it has both capitals and small letters."""
    return any(letter.isupper() for letter in text) and any(letter.islower() for letter in text)
