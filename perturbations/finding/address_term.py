"""Terms of address that a customer says to the agent: "no sir, that's everything", "thank you miss"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from perturbations.finding.agent_name import AgentName
from perturbations.finding.gender_terms import terms
from perturbations.finding.lexicon import first_names, not_names, ordinary_words
from perturbations.finding.name_reading import vocabulary
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.word import Word

_PAIR = re.compile(r"\s*(?:/|or\b|and\b)\s*(?:sir|madam|ma['\u2019]?am|miss|mrs)\b", re.IGNORECASE)
_PAIR_BEFORE = re.compile(r"\b(?:sirs?|madam|ma['\u2019]?am)\s*(?:/|or)\s*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?\n]")


def address_words(turn: ParsedTurn, name: AgentName, *, previous: ParsedTurn | None) -> list[int]:
    """The indices of the words in a customer's turn that address the agent by gender.

    `previous` is the agent's turn before, if any: a customer who only echoes its "ma'am" addresses nobody.
    """
    known = terms("address")
    own = {word.start for each in turn.introductions for word in each.titles}
    return [
        index
        for index, word in enumerate(turn.words)
        if word.key in known
        and not word.is_possessive
        and word.start not in own
        and not _is_before_a_name(turn, index, name)
        and (
            _is_surely_addressed(turn, index, previous)
            if word.key in vocabulary("sure_terms")
            else _is_after_opener(turn, index)
        )
    ]


def _is_surely_addressed(turn: ParsedTurn, index: int, previous: ParsedTurn | None) -> bool:
    word = turn.words[index]
    before = [each.whole for each in turn.words[max(0, index - 3) : index]]
    if _is_noun(turn, index) or _is_named(turn, index, before) or _is_reported(turn, index):
        return False
    if _PAIR.match(turn.text, word.end) or _PAIR_BEFORE.search(turn.text[max(0, word.start - 12) : word.start]):
        return False
    return not _is_echoed(turn, index, previous)


def _is_noun(turn: ParsedTurn, index: int) -> bool:
    """Whether a sir or a madam is spoken of: "the sir", "that nice lady", "this sir told me"."""
    before = index - 1
    if before < 0 or _marks(turn, before):
        return False
    if turn.words[before].key in vocabulary("term_qualities"):
        before -= 1
        if before < 0 or _marks(turn, before):
            return False
        if turn.words[before].key in ("that", "this"):
            return True
    key = turn.words[before].whole
    following = turn.words[index + 1].whole if index + 1 < len(turn.words) else ""
    return key in vocabulary("term_determiners") or (
        key in ("that", "this") and following in vocabulary("spoken_of_after")
    )


def _is_named(turn: ParsedTurn, index: int, before: Sequence[str]) -> bool:
    """Whether the word itself is spoken of: "don't call me ma'am", "the word 'sir'"."""
    word = turn.words[index]
    quoted = turn.text[max(0, word.start - 1) : word.start] in ("'", '"', "“", "\u2018", "`") and turn.text[
        word.end : word.end + 2
    ].strip(".,?!")[:1] in ("'", '"', "”", "\u2019", "`")
    if quoted or (before and before[-1] in vocabulary("named_before")):
        return True
    if (
        len(before) > 1
        and before[-2] in vocabulary("named_before")
        and before[-1] in ("me", "us", "him", "her", "a", "the")
    ):
        return True
    after = " ".join(each.whole for each in turn.words[index + 1 : index + 3])
    return any(after.startswith(phrase) for phrase in vocabulary("named_after")) and _marks(turn, index) != "."


def _is_reported(turn: ParsedTurn, index: int) -> bool:
    """Whether someone else's words are told: "she said yes sir"."""
    words = turn.words[max(0, index - 6) : index]
    begin = words[0].start if words else 0
    start = max((m.end() for m in _SENTENCE_END.finditer(turn.text, begin, turn.words[index].start)), default=0)
    sentence = [word.whole for word in words if word.start >= start]
    return any(
        left in vocabulary("reporters") and right in vocabulary("reports") for left, right in pairwise(sentence)
    )


def _is_echoed(turn: ParsedTurn, index: int, previous: ParsedTurn | None) -> bool:
    word = turn.words[index]
    alone = re.search(r"(?:^|[.!?\n])\W*$", turn.text[max(0, word.start - 4) : word.start]) is not None
    if not alone or not turn.text[word.end : word.end + 3].lstrip().startswith("?"):
        return False
    return previous is not None and any(each.key == word.key for each in previous.words)


def _is_before_a_name(turn: ParsedTurn, index: int, name: AgentName) -> bool:
    """Whether the word is a title in front of a name: the agent's is found with the name, others stay."""
    if index + 1 >= len(turn.words):
        return False
    word, following = turn.words[index], turn.words[index + 1]
    if turn.text[word.end : following.start].strip(". ") or "\n" in turn.text[word.end : following.start]:
        return False
    if following.key in name.firsts or following.key in name.last:
        return True
    if following.key in name.customer_firsts or following.key in name.customer_lasts:
        return True
    if following.whole in not_names() or following.key in vocabulary("openers") or following.key == "i":
        return False
    if not turn.cased:
        led = turn.words[index - 1].whole if index else ""
        known = following.key in first_names() and following.key not in ordinary_words()
        return known and led not in vocabulary("openers")
    return following.is_capitalised and not _marks(turn, index)


def _is_after_opener(turn: ParsedTurn, index: int) -> bool:
    """Whether a word that isn't always a term of address is one here: "thanks man", "hey lady, ..."."""
    if index == 0:
        return False
    word: Word = turn.words[index]
    opener = index - 1
    if opener > 0 and turn.words[opener].key in vocabulary("term_qualities"):
        opener -= 1
    before = turn.words[opener]
    mark = _marks(turn, opener)
    after = _marks(turn, index)
    following = turn.words[index + 1].whole if index + 1 < len(turn.words) else None
    if before.whole in vocabulary("term_openers") and mark in ("", ","):
        led = turn.words[opener - 1].key if opener > 0 else ""
        if before.whole in vocabulary("led_openers") and led not in vocabulary("leads"):
            return mark == "," and (after != "" or following is None)
        return (
            after != "" or following is None or (following in not_names() and word.key not in ("brother", "sister"))
        )
    return mark == "," and (after in (".", "!", "?") or following is None)


def _marks(turn: ParsedTurn, index: int) -> str:
    """The first mark between this word and the next (or the end), empty where none stands there."""
    word = turn.words[index]
    stop = turn.words[index + 1].start if index + 1 < len(turn.words) else len(turn.text)
    between = turn.text[word.end : stop].strip()
    return between[:1]
