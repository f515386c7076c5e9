"""Words that tell the agent's gender: titles, terms of address, nouns and pronouns, each with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from perturbations.finding.address_term import address_words
from perturbations.finding.agent_mention import acts_in_third_person, is_judged
from perturbations.finding.agent_name import AgentName
from perturbations.finding.gender_terms import terms
from perturbations.finding.lexicon import first_names, not_names
from perturbations.finding.mention import Mention
from perturbations.finding.name_reading import vocabulary
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.word import Word

TermKind = Literal["title", "address", "noun", "subject", "object", "determiner", "possessive", "reflexive"]

_DECLARED = re.compile(
    r"(?<![\w/])(?P<subject>he|she|they)\s*(?:/|,| and )\s*(?P<object>him|her|them)"
    r"(?:\s*(?:/|,| and )\s*(?P<possessive>his|hers|theirs))?(?![\w/])",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_REACH = 60
_PRONOUNS: dict[str, TermKind] = {
    "he": "subject",
    "she": "subject",
    "him": "object",
    "his": "determiner",
    "hers": "possessive",
    "himself": "reflexive",
    "herself": "reflexive",
}


@dataclass(frozen=True)
class TermSpan:
    """One word about the agent that tells gender, at `[start, end)` of a turn's text."""

    turn: int
    start: int
    end: int
    kind: TermKind


def term_spans(
    turn: ParsedTurn, mentions: Sequence[Mention], name: AgentName, *, previous: ParsedTurn | None
) -> list[TermSpan]:
    """The agent's gendered words in this turn; `mentions` are those in it that mean the agent."""
    found = [
        _span(turn, turn.words[index], "title")
        for mention in mentions
        for index in range(mention.begin, mention.first)
        if turn.words[index].key in terms("title")
    ]
    if turn.speaker == "agent":
        found += _own_titles(turn, name)
        found += _declared(turn)
    else:
        for index in address_words(turn, name, previous=previous):
            young = index > 0 and turn.words[index - 1].key == "young"
            noun = young and turn.words[index].key in terms("noun")
            found.append(_span(turn, turn.words[index], "noun" if noun else "address"))
    found += _predicates(turn)
    found += _pronouns(turn, mentions)
    return sorted(set(found), key=lambda each: (each.start, each.end))


def _span(turn: ParsedTurn, word: Word, kind: TermKind) -> TermSpan:
    return TermSpan(turn.index, word.start, word.end, kind)


def _own_titles(turn: ParsedTurn, name: AgentName) -> list[TermSpan]:
    """Titles that the agent gives themself, also where the name is missing or garbled: "this is miss"."""
    found: list[TermSpan] = []
    for each in turn.introductions:
        if each.strength == "faint":
            continue
        said = turn.words[each.reading.first].key if each.reading is not None else None
        if said is None or said in name.firsts or said not in name.customer_firsts | name.customer_lasts:
            found += [_span(turn, word, "title") for word in each.titles if word.key in terms("title")]
    return found


def _declared(turn: ParsedTurn) -> list[TermSpan]:
    """Pronouns that the agent gives as their own: "(she/her)", "my pronouns are he and him"."""
    found: list[TermSpan] = []
    for match in _DECLARED.finditer(turn.text):
        if "/" not in match[0] and "pronoun" not in turn.text[max(0, match.start() - 40) : match.start()].lower():
            continue
        kinds: tuple[TermKind, ...] = ("subject", "object", "possessive")
        found += [TermSpan(turn.index, *match.span(kind), kind) for kind in kinds if match[kind] is not None]
    return found


@cache
def _predicate_pattern() -> re.Pattern[str]:
    nouns = "|".join(sorted(terms("noun"), key=len, reverse=True))
    return re.compile(
        r"(?<![\w'\u2019])(?P<who>i['\u2019]?m|i am|as|you['\u2019]?re|you are|you were|you['\u2019]?ve been)"
        r" (?:such |just |only |really )?"
        rf"(?:a|an|the|your) (?:[a-z'-]+ ){{0,2}}?(?P<noun>{nouns})(?![\w'\u2019-])",
        re.IGNORECASE,
    )


def _predicates(turn: ParsedTurn) -> list[TermSpan]:
    """What the speaker says that the agent is: "you're a gentleman", "I'm a mom of two"."""
    found: list[TermSpan] = []
    own = ("i'm", "im", "i am", "as")
    for match in _predicate_pattern().finditer(turn.text):
        who = match["who"].lower().replace("\u2019", "'")
        following = _NEXT_WORD.match(turn.text, match.end())
        bounded = following is None or following[1].lower() in not_names()
        if bounded and (who in own) == (turn.speaker == "agent"):
            found.append(TermSpan(turn.index, *match.span("noun"), "noun"))
    return found


def _pronouns(turn: ParsedTurn, mentions: Sequence[Mention]) -> list[TermSpan]:
    """Pronouns after the agent was spoken of by name in the same turn, until someone else comes up."""
    found: list[TermSpan] = []
    for mention in mentions:
        if not (is_judged(turn, mention) if turn.speaker == "customer" else acts_in_third_person(turn, mention)):
            continue
        for index in range(mention.stop, min(len(turn.words), mention.stop + _REACH)):
            word = turn.words[index]
            if word.key in first_names() and word.is_capitalised and word.whole not in not_names():
                break
            if word.key in vocabulary("relations"):
                break
            kind = _pronoun_kind(turn, index)
            if kind is not None:
                found.append(_span(turn, word, kind))
    return found


def _pronoun_kind(turn: ParsedTurn, index: int) -> TermKind | None:
    word = turn.words[index]
    if word.key != "her":
        return _PRONOUNS.get(word.key)
    # "her card" belongs to her, "tell her that" is told to her.
    following = turn.words[index + 1] if index + 1 < len(turn.words) else None
    if (
        following is None
        or turn.text[word.end : following.start].strip()
        or following.whole in vocabulary("after_object")
    ):
        return "object"
    return "determiner"
