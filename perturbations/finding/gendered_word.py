"""Words of a text that tell someone's gender: what speakers say that they or the others are, and pronouns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from perturbations.finding.gender_terms import TermKind, terms
from perturbations.finding.lexicon import first_names, not_names, vocabulary
from perturbations.records.transcript import Speaker
from perturbations.text.utterance import Utterance
from perturbations.text.word import Word, fold

# "she/her", "he, him and his", not "and/or he/him" inside a path: no slash or letter may stand around it.
_DECLARED = re.compile(
    r"(?<![\w/])(?P<subject>he|she|they)\s*(?:/|,| and )\s*(?P<object>him|her|them)"
    r"(?:\s*(?:/|,| and )\s*(?P<possessive>his|hers|theirs))?(?![\w/])",
    re.IGNORECASE,
)
_DECLARED_KINDS: tuple[TermKind, ...] = ("subject", "object", "possessive")
_LEAD = 40
"""How many letters before "he and him" the word "pronouns" may stand."""
_OWN = ("i'm", "im", "i am", "as")
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_PRONOUNS: dict[str, TermKind] = {
    "he": "subject",
    "she": "subject",
    "him": "object",
    "his": "determiner",
    "hers": "possessive",
    "himself": "reflexive",
    "herself": "reflexive",
}
"""What a pronoun is wherever it stands; "her" depends on what follows."""


@dataclass(frozen=True)
class GenderedWord:
    """A word at `[start, end)` of a text that tells a gender, `key` as it stands in the tables of its kind."""

    start: int
    end: int
    key: str
    kind: TermKind

    @classmethod
    def of(cls, word: Word, kind: TermKind) -> GenderedWord:
        """A word of the text as a gendered word of this kind."""
        return cls(word.start, word.end, word.key, kind)


@dataclass(frozen=True)
class Pronouns:
    """The pronouns of a text by the numbers of their words, in order.

    `others` are the numbers of the words where someone else comes up, by name or as a relative: a pronoun behind one
    is theirs.
    """

    words: tuple[tuple[int, GenderedWord], ...]
    others: tuple[int, ...]


def find_declared(text: str) -> Iterator[GenderedWord]:
    """Pronouns that speakers give as their own: "(she/her)", "my pronouns are he and him"."""
    for match in _DECLARED.finditer(text):
        # With a slash it can be nothing else; "he and him" needs the word before.
        if "/" in match[0] or "pronoun" in text[max(0, match.start() - _LEAD) : match.start()].lower():
            yield from (_group(match, kind, kind) for kind in _DECLARED_KINDS if match[kind] is not None)


def find_predicates(text: str, speaker: Speaker) -> Iterator[GenderedWord]:
    """What it is said that the agent is: "I'm a mom of two" by the agent, "you're a gentleman" by a customer."""
    for match in _predicate_pattern().finditer(text):
        is_own = match["who"].lower().replace("\u2019", "'") in _OWN
        # "As a father figure" would be another noun: what follows must be no part of it.
        following = _NEXT_WORD.match(text, match.end())
        is_bounded = following is None or following[1].lower() in not_names()
        if is_bounded and is_own == (speaker == "agent"):
            yield _group(match, "noun", "noun")


def find_pronouns(said: Utterance) -> Pronouns:
    """The pronouns of a text, and where someone else comes up of whom those behind may be."""
    words: list[tuple[int, GenderedWord]] = []
    others: list[int] = []
    for index, word in enumerate(said.words):
        is_name = word.key in first_names() and word.is_capitalised and word.whole not in not_names()
        if is_name or word.key in vocabulary("relations"):
            others.append(index)
        elif (kind := _pronoun_kind(said, index)) is not None:
            words.append((index, GenderedWord.of(word, kind)))
    return Pronouns(tuple(words), tuple(others))


def _group(match: re.Match[str], group: str, kind: TermKind) -> GenderedWord:
    return GenderedWord(*match.span(group), fold(match[group]), kind)


@cache
def _predicate_pattern() -> re.Pattern[str]:
    nouns = "|".join(sorted(terms("noun"), key=len, reverse=True))
    return re.compile(
        r"(?<![\w'\u2019])(?P<who>i['\u2019]?m|i am|as|you['\u2019]?re|you are|you were|you['\u2019]?ve been)"
        r" (?:such |just |only |really )?"
        rf"(?:a|an|the|your) (?:[a-z'-]+ ){{0,2}}?(?P<noun>{nouns})(?![\w'\u2019-])",
        re.IGNORECASE,
    )


def _pronoun_kind(said: Utterance, index: int) -> TermKind | None:
    word = said.words[index]
    if word.key != "her":
        return _PRONOUNS.get(word.key)
    # "her card" belongs to her, "tell her that" is told to her.
    following = said.word_at(index + 1)
    if following is None or word.gap.strip() or following.whole in vocabulary("after_object"):
        return "object"
    return "determiner"
