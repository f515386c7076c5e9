"""What one speaker says at a time, with its words: taken apart once, and read by every rule."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from perturbations.text.word import Word, words_of


@dataclass(frozen=True)
class Utterance:
    """A text with its words."""

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words in order."""
        return words_of(self.text)

    @cached_property
    def cased(self) -> bool:
        """Whether capitals in the text tell something: it has both capitals and small letters."""
        return any(letter.isupper() for letter in self.text) and any(letter.islower() for letter in self.text)

    def word_at(self, index: int) -> Word | None:
        """The word of this number, None before the first and after the last."""
        return self.words[index] if 0 <= index < len(self.words) else None

    def gap_before(self, index: int) -> str:
        """What stands between the word before this one, or the text's beginning, and this one."""
        return self.words[index - 1].gap if index else self.text[: self.words[0].start]

    def index_from(self, position: int) -> int:
        """The number of the first word that begins at this place of the text or behind it."""
        return bisect_left(self.words, position, key=lambda word: word.start)
