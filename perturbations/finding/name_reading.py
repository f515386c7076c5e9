"""A person's name read from running text: first name, middle names and surname as far as they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import dropwhile, takewhile

from perturbations.data_file import read_toml
from perturbations.finding.lexicon import first_names, is_first_name, not_names, ordinary_words, surnames
from perturbations.text.word import Word, is_cased

_LONGEST = 5
_CLOSE = re.compile(r"[ \t]+|\.[ \t]+")


@cache
def vocabulary(name: str) -> frozenset[str]:
    """One of the lists of name_context.toml."""
    return frozenset(read_toml("name_context.toml")[name])


@dataclass(frozen=True)
class Reading:
    """A name as it stands: word indices of one turn.

    The first name with its middle names is `[first, last_start)`, the surname `[last_start, stop)`; both may be empty
    at the back, the first word is always there.
    """

    first: int
    last_start: int
    stop: int

    def is_bounded(self, text: str, words: Sequence[Word]) -> bool:
        """Whether the name ends here: the text ends, a mark follows, or a word that is no name."""
        if self.stop >= len(words):
            return True
        following = words[self.stop]
        between = text[words[self.stop - 1].end : following.start]
        return between.strip() not in ("", "-") or "\n" in between or following.whole in not_names()

    def is_followed_by_more(self, text: str, words: Sequence[Word]) -> bool:
        """Whether a word of an organisation is in the name or follows it ("Harper Valley National Bank")."""
        inside = any(words[index].key in vocabulary("organisation") for index in range(self.first, self.stop))
        if inside or self.stop >= len(words):
            return inside
        following = words[self.stop]
        close = not text[words[self.stop - 1].end : following.start].strip(" \t")
        return close and (
            following.key in vocabulary("organisation")
            or (following.is_capitalised and following.whole not in not_names() and is_cased(text))
        )

    def is_doubtful(self, words: Sequence[Word]) -> bool:
        """Whether the first name is an ordinary word too."""
        return words[self.first].key in ordinary_words()


def can_be_first(word: Word, *, cased: bool) -> bool:
    """Whether this word may be a first name at all, as it is written here."""
    if len(word.key) < 2 or (word.whole in not_names() and word.key not in vocabulary("names_all_the_same")):
        return False
    return not cased or word.is_capitalised or is_first_name(word.key)


def read_name(text: str, words: Sequence[Word], index: int) -> Reading | None:
    """The name that begins at this word, or None where the word can't begin one."""
    cased = is_cased(text)
    if not can_be_first(words[index], cased=cased):
        return None
    stop = index + 1
    while stop < len(words) and stop - index < _LONGEST and _goes_on(text, words, stop, cased=cased):
        stop += 1
    while stop > index + 1 and words[stop - 1].key in vocabulary("particles").difference(surnames()):
        stop -= 1
    return Reading(index, surname_start([word.key for word in words[index:stop]]) + index, stop)


def surname_start(keys: Sequence[str]) -> int:
    """Where the surname begins in a full name: its last word with the particles before it ("de la cruz")."""
    if len(keys) < 2:
        return len(keys)
    particles = list(takewhile(lambda key: key in vocabulary("particles"), reversed(keys[1:-1])))
    return len(keys) - 1 - len(particles)


def _goes_on(text: str, words: Sequence[Word], index: int, *, cased: bool) -> bool:
    """Whether the name goes on with this word."""
    word = words[index]
    between = text[words[index - 1].end : word.start]
    if not _CLOSE.fullmatch(between) or ("." in between and not _follows_an_initial(text, words, index)):
        return False
    if word.key in vocabulary("particles") and not (cased and word.is_capitalised):
        rest = words[index + 1 : index + 3]
        return any(_is_name_like(each, cased=cased) for each in dropwhile(_is_particle, rest))
    if word.whole in not_names():
        known = word.key in surnames() or word.key in first_names()
        return cased and word.is_capitalised and known and _ends_there(text, words, index)
    if cased:
        return word.is_capitalised and word.key not in vocabulary("organisation")
    if word.key not in surnames() and word.key not in first_names():
        return False
    if word.key in ordinary_words():
        # "my name is mary best bank" goes on; "my name is mary brown how can" ends with the surname.
        after = words[index + 1] if index + 1 < len(words) else None
        return after is None or after.whole in not_names() or after.key in surnames()
    return True


def _follows_an_initial(text: str, words: Sequence[Word], index: int) -> bool:
    """Whether the full stop before this word belongs to an initial of the same name, not to a sentence's end.

    "Mary J. Blige" goes on, "this is Mike R. Tell me how I can help" does not.
    """
    if len(words[index - 1].text) > 1:
        return False
    key = words[index].key
    if key in surnames() and key not in ordinary_words() and key not in first_names():
        return True
    after = words[index + 1] if index + 1 < len(words) else None
    return _ends_there(text, words, index) or (
        after is not None and after.key in vocabulary("after_an_unknown_surname")
    )


def _ends_there(text: str, words: Sequence[Word], index: int) -> bool:
    """Whether a mark or the text's end follows this word: "Nguyen Van An."."""
    stop = words[index + 1].start if index + 1 < len(words) else len(text)
    between = text[words[index].end : stop]
    return index + 1 == len(words) or between.strip() != ""


def _is_particle(word: Word) -> bool:
    return word.key in vocabulary("particles") and not word.is_capitalised


def _is_name_like(word: Word, *, cased: bool) -> bool:
    if word.whole in not_names():
        return False
    return word.is_capitalised if cased else word.key in surnames() or word.key in first_names()
