"""Which words of a running text are one person's name: "Mary Ann Smith" of "my name is mary ann smith how can i"."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import dropwhile

from perturbations.finding.lexicon import (
    first_names,
    is_first_name,
    not_names,
    ordinary_words,
    surnames,
    vocabulary,
)
from perturbations.text.utterance import Utterance
from perturbations.text.word import Word

_LONGEST = 5
"""No more words than this are read as one name, whatever follows."""


@dataclass(frozen=True)
class NameReading:
    """A name that stands in a text, at the words `[first, stop)`; `keys` are their keys, at least one.

    `is_bounded`: the name ends here, since the text ends, a mark follows, or a word that is no name.
    `is_of_organisation`: a word of an organisation is in the name or follows it ("Harper Valley National Bank"), or
    another capitalised word that may be one. `is_doubtful`: its first word is an ordinary word too ("will").
    `is_asked`: a question mark follows right behind it.
    """

    first: int
    stop: int
    keys: tuple[str, ...]
    is_bounded: bool
    is_of_organisation: bool
    is_doubtful: bool
    is_asked: bool


def read_name(said: Utterance, index: int) -> NameReading | None:
    """The name that begins at this word, or None where the word can't begin one."""
    words = said.words
    if not _can_be_first(words[index], cased=said.cased):
        return None
    stop = index + 1
    while stop < len(words) and stop - index < _LONGEST and _goes_on(said, stop):
        stop += 1
    # A particle leads up to a surname: what was read into the name without one behind it is an ordinary word.
    while stop > index + 1 and words[stop - 1].key in vocabulary("particles").difference(surnames()):
        stop -= 1
    return NameReading(
        first=index,
        stop=stop,
        keys=tuple(word.key for word in words[index:stop]),
        is_bounded=_is_bounded(said, stop),
        is_of_organisation=_is_of_organisation(said, index, stop),
        is_doubtful=words[index].key in ordinary_words(),
        is_asked=words[stop - 1].gap.startswith("?"),
    )


def _can_be_first(word: Word, *, cased: bool) -> bool:
    """Whether this word may be a first name at all, as it is written here."""
    if len(word.key) < 2 or (word.whole in not_names() and word.key not in vocabulary("names_all_the_same")):
        return False
    return not cased or word.is_capitalised or is_first_name(word.key)


def _is_bounded(said: Utterance, stop: int) -> bool:
    following = said.word_at(stop)
    if following is None:
        return True
    gap = said.gap_before(stop)
    return gap.strip() not in ("", "-") or "\n" in gap or following.whole in not_names()


def _is_of_organisation(said: Utterance, first: int, stop: int) -> bool:
    if any(word.key in vocabulary("organisation") for word in said.words[first:stop]):
        return True
    following = said.word_at(stop)
    if following is None or said.gap_before(stop).strip(" \t"):
        return False
    return following.key in vocabulary("organisation") or (
        following.is_capitalised and following.whole not in not_names() and said.cased
    )


def _goes_on(said: Utterance, index: int) -> bool:
    """Whether the name goes on with this word."""
    word, before = said.words[index], said.words[index - 1]
    if not before.is_close_to_next or ("." in before.gap and not _follows_an_initial(said, index)):
        return False
    if word.key in vocabulary("particles") and not (said.cased and word.is_capitalised):
        rest = said.words[index + 1 : index + 3]
        return any(_is_name_like(each, cased=said.cased) for each in dropwhile(_is_particle, rest))
    if word.whole in not_names():
        # "Nguyen Van An." ends with a surname that is a word elsewhere; inside a sentence it would be the word.
        known = word.key in surnames() or word.key in first_names()
        return said.cased and word.is_capitalised and known and _ends_there(said, index)
    if said.cased:
        return word.is_capitalised and word.key not in vocabulary("organisation")
    if word.key not in surnames() and word.key not in first_names():
        return False
    if word.key in ordinary_words():
        # "my name is mary best bank" goes on; "my name is mary brown how can" ends with the surname.
        after = said.word_at(index + 1)
        return after is None or after.whole in not_names() or after.key in surnames()
    return True


def _follows_an_initial(said: Utterance, index: int) -> bool:
    """Whether the full stop before this word belongs to an initial of the same name, not to a sentence's end.

    "Mary J. Blige" goes on, "this is Mike R. Tell me how I can help" does not.
    """
    if len(said.words[index - 1].text) > 1:
        return False
    key = said.words[index].key
    if key in surnames() and key not in ordinary_words() and key not in first_names():
        return True
    after = said.word_at(index + 1)
    return _ends_there(said, index) or (after is not None and after.key in vocabulary("after_an_unknown_surname"))


def _ends_there(said: Utterance, index: int) -> bool:
    """Whether a mark or the text's end follows this word."""
    return index + 1 == len(said.words) or said.words[index].gap.strip() != ""


def _is_particle(word: Word) -> bool:
    return word.key in vocabulary("particles") and not word.is_capitalised


def _is_name_like(word: Word, *, cased: bool) -> bool:
    if word.whole in not_names():
        return False
    return word.is_capitalised if cased else word.key in surnames() or word.key in first_names()
