"""Words of a text with their places, and the key under which two spellings are the same word."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# A letter with the accents that follow it as characters of their own: "Rene" and U+0301 is one word, "René".
_LETTERS = "[^\\W\\d_](?:[^\\W\\d_]|[\u0300-\u036f])*"
# Not inside an id ("user_mary", "JOHN4411"): a name in it is no word that anyone says.
_WORD = re.compile(rf"(?<!\w){_LETTERS}(?:[-'\u2019]{_LETTERS})*['\u2019]?(?!\w)")
_APOSTROPHES = "'\u2019"
_BLANK = re.compile(r"[ \t]+|\.[ \t]+")


@dataclass(frozen=True)
class Word:
    """One word of a text: `[start, end)`, without a possessive ending.

    `key` is the word in lower case without accents. `whole` is the key with the possessive ending ("it's"). `gap` is
    all that stands between this word and the next one, or the text's end: white space, marks, digits, ids, and the
    possessive ending.
    """

    start: int
    end: int
    text: str
    key: str
    whole: str
    gap: str

    @property
    def is_capitalised(self) -> bool:
        """Whether the word begins with a capital."""
        return self.text[0].isupper()

    @property
    def is_possessive(self) -> bool:
        """Whether a possessive ending (or a short "is") follows the word: "Mary's"."""
        return self.whole != self.key

    @property
    def is_close_to_next(self) -> bool:
        """Whether only blanks, or a full stop with blanks, part it from what follows: "Mary Ann", "Mr. Reyes"."""
        return _BLANK.fullmatch(self.gap) is not None


def fold(word: str) -> str:
    """The word in lower case, without accents, with straight apostrophes."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).replace("\u2019", "'")


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text in order: letters with accents, inner hyphens and apostrophes; never parts of ids."""
    matches = list(_WORD.finditer(text))
    ends_of_gaps = [*(match.start() for match in matches[1:]), len(text)]
    return tuple(_word(text, match, end) for match, end in zip(matches, ends_of_gaps, strict=False))


def _word(text: str, match: re.Match[str], end_of_gap: int) -> Word:
    written, whole = match[0], fold(match[0])
    if written[-1] in _APOSTROPHES:
        ending = 1
    elif len(written) > 2 and written[-2] in _APOSTROPHES and fold(written[-1]) == "s":
        ending = 2
    else:
        return Word(match.start(), match.end(), written, whole, whole, text[match.end() : end_of_gap])
    end = match.end() - ending
    return Word(
        match.start(), end, written[:-ending], fold(written[:-ending]), whole.rstrip("'"), text[end:end_of_gap]
    )
