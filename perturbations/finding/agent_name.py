"""Who the agent is: the name of the record, or the one that the agent gives in an agent's turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from perturbations.finding.lexicon import first_names, is_rather_surname, nicknames, usual_gender
from perturbations.finding.name_reading import read_name, surname_start, vocabulary
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.records.transcript import Gender, Transcript
from perturbations.text.word import Word, words_of
from perturbations.writer import NotApplicable

_STRENGTHS = {"strong": 0, "weak": 1}


@dataclass(frozen=True)
class FullName:
    """A person's name as keys: first name, middle names and surname, each empty where it isn't known."""

    first: str = ""
    middle: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


@dataclass(frozen=True)
class AgentName:
    """The agent's name, with all that is needed to tell it from the customer's.

    `firsts` are the keys by which the agent may be called, nicknames among them; `last` is the surname, word by word.
    """

    first: str
    firsts: frozenset[str]
    middle: tuple[str, ...]
    last: tuple[str, ...]
    gender: Gender | None
    customer_firsts: frozenset[str]
    customer_lasts: frozenset[str]

    @property
    def first_is_shared(self) -> bool:
        """Whether the customer has the agent's first name."""
        return bool(self.firsts & self.customer_firsts)

    @property
    def last_is_shared(self) -> bool:
        """Whether the customer has the agent's surname."""
        return bool(self.last) and self.last[-1] in self.customer_lasts


def split_name(name: str | None) -> FullName:
    """The name of a record, read: "Reyes, Michael", "Mr. Michael Reyes", "maria.de.la.cruz", "Mary Ann Smith".

    An id in the place of a name ("agent_0412") gives an empty name.
    """
    if name is None or any(letter.isdigit() for letter in name):
        return FullName()
    family, comma, given = name.partition(",")
    ordered = f"{given} {family}" if comma else family
    keys = [word.key for word in words_of(re.sub(r"[._]", " ", ordered))]
    keys = [key for number, key in enumerate(keys) if number or key not in vocabulary("titles")]
    if not keys:
        return FullName()
    start = surname_start(keys)
    return FullName(keys[0], tuple(keys[1:start]), tuple(keys[start:]))


def find_agent_name(transcript: Transcript, turns: Sequence[ParsedTurn]) -> AgentName | NotApplicable:
    """The agent's name, or why there is none: `name_redacted`, `no_agent_name`."""
    recorded = split_name(transcript.agent.name)
    given = _given_names(turns, transcript)
    customers = _customer_names(transcript, turns)
    given = given or _confirmed_names(turns, frozenset(name.first for name in customers))
    known = _called(recorded)
    said = [name for name in given if name.first in known or (not name.first and name.last == recorded.last)]
    if not given and any(each.redacted for turn in turns if turn.speaker == "agent" for each in turn.introductions):
        return NotApplicable("name_redacted")
    if recorded == FullName() and not given:
        return NotApplicable("no_agent_name")
    # Speech recognition may have written another name than the agent said: what stands there is replaced too.
    own = said[0] if said else (given[0] if given else FullName())
    firsts = known | (_called(own) if recorded.first in ("", own.first) or not said else frozenset())
    first = own.first or recorded.first
    return AgentName(
        first=first,
        firsts=firsts,
        middle=recorded.middle or own.middle,
        last=recorded.last or own.last or _surname_elsewhere(given, own),
        gender=transcript.agent.gender or usual_gender(recorded.first) or usual_gender(first),
        customer_firsts=frozenset(name.first for name in customers if name.first),
        customer_lasts=frozenset(name.last[-1] for name in customers if name.last),
    )


def _called(name: FullName) -> frozenset[str]:
    if not name.first:
        return frozenset()
    return frozenset({name.first}) | nicknames().get(name.first, frozenset())


def _given_names(turns: Sequence[ParsedTurn], transcript: Transcript) -> list[FullName]:
    """The names that the agent gives as their own, the surest first."""
    customer = split_name(transcript.customer.name).first
    found: list[tuple[int, int, FullName]] = []
    alone: list[FullName] = []
    for turn in turns:
        if turn.speaker != "agent":
            continue
        for each in turn.introductions:
            if each.reading is not None and each.strength in _STRENGTHS:
                name = _as_name(turn.words[each.reading.first : each.reading.stop], titled=bool(each.titles))
                if name.first:
                    found.append((_STRENGTHS[each.strength], len(found), name))
                else:
                    alone.append(name)
    found.sort(key=lambda each: (each[2].first == customer, each[0], each[1]))
    return [name for _, _, name in found] + alone


def _confirmed_names(turns: Sequence[ParsedTurn], customers: frozenset[str]) -> list[FullName]:
    """Names that the agent may have given ("it's Michael") and by which the customer then calls the agent."""
    called = {
        right.key
        for turn in turns
        if turn.speaker == "customer"
        for left, right in pairwise(turn.words)
        if left.key in vocabulary("confirming_openers") and turn.text[left.end : right.start].strip() in ("", ",")
    } - customers
    readings = [
        turn.words[each.reading.first : each.reading.stop]
        for turn in turns
        if turn.speaker == "agent"
        for each in turn.introductions
        if each.reading is not None and turn.words[each.reading.first].key in called
        # "It's Jennifer?" asks for the customer's name.
        if not turn.text.startswith("?", turn.words[each.reading.stop - 1].end)
    ]
    return [_as_name(words) for words in readings]


def _surname_elsewhere(given: Sequence[FullName], own: FullName) -> tuple[str, ...]:
    return next((name.last for name in given if name.first == own.first and name.last), ())


def _customer_names(transcript: Transcript, turns: Sequence[ParsedTurn]) -> list[FullName]:
    """The customer's names: of the record, given as their own, or in answer to a question for it."""
    names = [split_name(transcript.customer.name)]
    asked = False
    for turn in turns:
        if turn.speaker == "agent":
            asked = turn.asks_for_name
            continue
        given = [each.reading for each in turn.introductions if each.reading and each.strength != "faint"]
        names += [_as_name(turn.words[reading.first : reading.stop]) for reading in given]
        if asked and not given:
            names += _answer(turn)
        asked = False
    return names


def _answer(turn: ParsedTurn) -> list[FullName]:
    for index, word in enumerate(turn.words[:4]):
        if word.key in vocabulary("openers") or word.key not in first_names():
            continue
        reading = read_name(turn.text, turn.words, index)
        return [] if reading is None else [_as_name(turn.words[reading.first : reading.stop])]
    return []


def _as_name(words: Sequence[Word], *, titled: bool = False) -> FullName:
    keys = [word.key for word in words]
    if titled and len(keys) == 1 and is_rather_surname(keys[0]):
        # "This is Mr. Reyes", but "this is miss jane".
        return FullName(last=(keys[0],))
    start = surname_start(keys)
    return FullName(keys[0], tuple(keys[1:start]), tuple(keys[start:]))
