"""A turn as a table: each column lists the places of one kind that may tell a name or a gender, whoever is meant.

A column is read once, when it is first asked for. What is decided later reads this table and never the text again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from perturbations.finding.email_address import EmailAddress, SpokenAddress, find_addresses, find_spoken_addresses
from perturbations.finding.gendered_word import (
    GenderedWord,
    Pronouns,
    find_declared,
    find_predicates,
    find_pronouns,
)
from perturbations.finding.introduction import CueStrength, Introduction, find_introductions
from perturbations.finding.lexicon import first_names, vocabulary
from perturbations.finding.name_reading import NameReading, read_name
from perturbations.finding.signature import find_signatures
from perturbations.finding.spelling import Spelling, find_spellings
from perturbations.finding.vocative import Vocative, find_vocatives
from perturbations.records.transcript import Speaker, Turn
from perturbations.text.utterance import Utterance

_ASKS_FOR_NAME = re.compile(
    r"\b(?:your|you|full|first|last)\s+(?:\w+\s+)?name\b|\b(?:the|and) name\b|\bname,? please"
    r"|\bwho (?:am i|do i have|is this|are you)\b"
    r"|\bwho(?:'s| is) calling|\bname on the account|\bspeaking (?:to|with) (?:today|\?)|\bcall you\b",
    re.IGNORECASE,
)
_ANSWER_WORDS = 4
"""Among how many words an answer to "your name?" begins: "yes it's Mary Jones"."""


@dataclass(frozen=True)
class ParsedTurn:
    """One turn of agent or customer, `index` its place in the transcript.

    `before` is the turn of either that was said right before it, if any.
    """

    index: int
    turn: Turn
    before: Turn | None

    @property
    def speaker(self) -> Speaker:
        """Who speaks."""
        return self.turn.speaker

    @cached_property
    def said(self) -> Utterance:
        """The text with its words."""
        return Utterance(self.turn.text)

    @cached_property
    def introductions(self) -> tuple[Introduction, ...]:
        """Where the speaker gives a name as their own, an agent also by signing."""
        signatures = find_signatures(self.said) if self.speaker == "agent" else []
        return (*find_introductions(self.said), *signatures)

    @cached_property
    def own_names(self) -> dict[int, CueStrength | None]:
        """The words of names that the speaker gives as their own; where one begins, by how sure a cue at best."""
        surest_last = sorted(self.introductions, key=lambda each: each.strength != "faint")
        readings = [(each.reading, each.strength) for each in surest_last if each.reading is not None]
        words: dict[int, CueStrength | None] = {}
        for reading, _ in readings:
            words.update(dict.fromkeys(range(reading.first, reading.stop)))
        words.update({reading.first: strength for reading, strength in readings})
        return words

    @cached_property
    def answers_for_name(self) -> bool:
        """Whether the agent has just asked who the customer, who speaks now, is."""
        if self.speaker != "customer" or self.before is None or self.before.speaker != "agent":
            return False
        return _ASKS_FOR_NAME.search(self.before.text) is not None

    @cached_property
    def answer(self) -> NameReading | None:
        """The name with which an answer would begin: the first word that is a first name and no opener."""
        for index, word in enumerate(self.said.words[:_ANSWER_WORDS]):
            if word.key in first_names() and word.key not in vocabulary("openers"):
                return read_name(self.said, index)
        return None

    @cached_property
    def called(self) -> frozenset[str]:
        """The keys of words, whether names or not, that follow a word with which one calls someone: "hi mary"."""
        return frozenset(
            right.key
            for left, right in pairwise(self.said.words)
            if left.key in vocabulary("confirming_openers") and left.gap.strip() in ("", ",")
        )

    @cached_property
    def spellings(self) -> tuple[Spelling, ...]:
        """Where something is spelled."""
        return find_spellings(self.turn.text)

    @cached_property
    def addresses(self) -> tuple[EmailAddress, ...]:
        """The e-mail addresses that are written."""
        return find_addresses(self.turn.text)

    @cached_property
    def spoken_addresses(self) -> tuple[SpokenAddress, ...]:
        """The e-mail addresses that are said aloud."""
        return find_spoken_addresses(self.turn.text)

    @cached_property
    def declarations(self) -> tuple[GenderedWord, ...]:
        """What it says outright of the agent's gender: an agent's own pronouns, and what either calls the agent."""
        declared = find_declared(self.turn.text) if self.speaker == "agent" else ()
        return (*declared, *find_predicates(self.turn.text, self.speaker))

    @cached_property
    def vocatives(self) -> tuple[Vocative, ...]:
        """The gendered words with which a customer addresses the agent."""
        if self.speaker != "customer":
            return ()
        own_titles = [title for each in self.introductions for title in each.titles]
        agents_turn = self.before if self.before is not None and self.before.speaker == "agent" else None
        return tuple(find_vocatives(self.said, own_titles, agents_turn.text if agents_turn else None))

    @cached_property
    def pronouns(self) -> Pronouns:
        """The pronouns of the third person."""
        return find_pronouns(self.said)


def parse_turns(turns: Sequence[Turn]) -> tuple[ParsedTurn, ...]:
    """The turns of agent and customer; what others say is never read."""
    return tuple(ParsedTurn(index, turn, before) for index, turn, before in spoken_turns(turns))


def spoken_turns(turns: Sequence[Turn]) -> Iterator[tuple[int, Turn, Turn | None]]:
    """What agent and customer say, as (its place, the turn, the one of theirs before it)."""
    before: Turn | None = None
    for index, turn in enumerate(turns):
        if turn.speaker in ("agent", "customer"):
            yield index, turn, before
            before = turn
