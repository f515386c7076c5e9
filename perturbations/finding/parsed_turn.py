"""A turn with its words and the places where its speaker gives a name: read once, used by every rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from perturbations.finding.introduction import Introduction, find_introductions
from perturbations.finding.signature import find_signatures
from perturbations.records.transcript import Speaker, Turn
from perturbations.text.word import Word, is_cased, words_of

_ASKS_FOR_NAME = re.compile(
    r"\b(?:your|you|full|first|last)\s+(?:\w+\s+)?name\b|\b(?:the|and) name\b|\bname,? please"
    r"|\bwho (?:am i|do i have|is this|are you)\b"
    r"|\bwho(?:'s| is) calling|\bname on the account|\bspeaking (?:to|with) (?:today|\?)|\bcall you\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ParsedTurn:
    """One turn of a transcript, `index` its place in it.

    `introductions` are the places where its own speaker gives a name, in an agent's turn with the signatures.
    """

    index: int
    speaker: Speaker
    text: str
    words: tuple[Word, ...]
    introductions: tuple[Introduction, ...]
    cased: bool

    @cached_property
    def introduced(self) -> dict[int, list[Introduction]]:
        """The introductions by the index of the word where the name begins."""
        found: dict[int, list[Introduction]] = {}
        for each in self.introductions:
            if each.reading is not None:
                found.setdefault(each.reading.first, []).append(each)
        return found

    @cached_property
    def own_name_words(self) -> frozenset[int]:
        """The indices of all words with which the speaker gives a name as their own."""
        readings = [each.reading for each in self.introductions if each.reading is not None]
        return frozenset(index for reading in readings for index in range(reading.first, reading.stop))

    @property
    def asks_for_name(self) -> bool:
        """Whether the speaker asks who the other one is."""
        return _ASKS_FOR_NAME.search(self.text) is not None


def parse_turns(turns: Sequence[Turn]) -> tuple[ParsedTurn, ...]:
    """The turns of agent and customer with their words; what others say is never read."""
    return tuple(_parse(index, turn) for index, turn in enumerate(turns) if turn.speaker in ("agent", "customer"))


def _parse(index: int, turn: Turn) -> ParsedTurn:
    words = words_of(turn.text)
    introductions = find_introductions(turn.text, words)
    if turn.speaker == "agent":
        introductions += find_signatures(turn.text, words)
    return ParsedTurn(index, turn.speaker, turn.text, words, tuple(introductions), is_cased(turn.text))
