"""Who the agent is: the name of the record, or the one that the agent gives in an agent's turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from perturbations.finding.introduction import Introduction
from perturbations.finding.lexicon import nicknames, usual_gender, vocabulary
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.records.transcript import Gender, Person
from perturbations.text.utterance import Utterance
from perturbations.writer import NotApplicable

_SURE_CUES = ("strong", "weak")
"""Cues by whose names an agent is known, the surest first; a faint cue's name must be taken up by the customer."""


@dataclass(frozen=True)
class FullName:
    """A person's name as keys: first name, middle names and surname, each empty where it isn't known."""

    first: str = ""
    middle: tuple[str, ...] = ()
    last: tuple[str, ...] = ()

    @property
    def usual_gender(self) -> Gender | None:
        """The gender of nine in ten bearers of the first name."""
        return usual_gender(self.first)

    @property
    def calls(self) -> frozenset[str]:
        """The keys by which the person may be called: the first name, its nicknames, what it is a nickname of."""
        return frozenset({self.first, *nicknames().get(self.first, ())} if self.first else ())


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
    def surname(self) -> str:
        """The surname as one key, empty where it isn't known."""
        return "".join(self.last)

    @property
    def first_is_shared(self) -> bool:
        """Whether the customer has the agent's first name."""
        return bool(self.firsts & self.customer_firsts)

    @property
    def last_is_shared(self) -> bool:
        """Whether the customer has the agent's surname."""
        return bool(self.last) and self.last[-1] in self.customer_lasts

    @property
    def keys(self) -> frozenset[str]:
        """The keys of every first name and surname of the two."""
        return self.firsts.union(self.last, self.customer_firsts, self.customer_lasts)


def split_name(name: str | None) -> FullName:
    """The name of a record, read: "Reyes, Michael", "Mr. Michael Reyes", "maria.de.la.cruz", "Mary Ann Smith".

    An id in the place of a name ("agent_0412") gives an empty name.
    """
    if name is None or any(letter.isdigit() for letter in name):
        return FullName()
    family, comma, given = name.partition(",")
    ordered = f"{given} {family}" if comma else family
    keys = [word.key for word in Utterance(re.sub(r"[._]", " ", ordered)).words]
    if keys and keys[0] in vocabulary("titles"):
        keys = keys[1:]
    return _full_name(keys)


def find_agent_name(turns: Sequence[ParsedTurn], agent: Person, customer: Person) -> AgentName | NotApplicable:
    """The agent's name, or why there is none: `name_redacted`, `no_agent_name`.

    `agent` and `customer` are what the record knows of the two.
    """
    recorded = split_name(agent.name)
    customers = [split_name(customer.name), *_customers_names(turns)]
    introductions = [each for turn in turns if turn.speaker == "agent" for each in turn.introductions]
    given = _given_names(introductions, customer=customers[0].first)
    if not given:
        called = {key for turn in turns if turn.speaker == "customer" for key in turn.called}
        given = _confirmed_names(introductions, called.difference(name.first for name in customers))
    if not given and any(each.redacted for each in introductions):
        return NotApplicable("name_redacted")
    if recorded == FullName() and not given:
        return NotApplicable("no_agent_name")
    confirming = [each for each in given if each.first in recorded.calls or each == FullName(last=recorded.last)]
    # Speech recognition may have written another name than the agent said: what stands there is replaced too.
    own = next(iter([*confirming, *given]), FullName())
    is_one_person = recorded.first in ("", own.first) or not confirming
    elsewhere = next((each.last for each in given if each.first == own.first and each.last), ())
    return AgentName(
        first=own.first or recorded.first,
        firsts=recorded.calls | own.calls if is_one_person else recorded.calls,
        middle=recorded.middle or own.middle,
        last=recorded.last or own.last or elsewhere,
        gender=agent.gender or recorded.usual_gender or own.usual_gender,
        customer_firsts=frozenset(name.first for name in customers if name.first),
        customer_lasts=frozenset(name.last[-1] for name in customers if name.last),
    )


def _given_names(introductions: Iterable[Introduction], *, customer: str) -> list[FullName]:
    """The names that the agent gives as their own, the surest first.

    A surname alone comes last, and right before it the first name of the `customer`: "this is Mary" may be said to
    her.
    """
    given = [each for each in introductions if each.keys and each.strength in _SURE_CUES]
    with_first = [each for each in given if not each.is_surname]
    with_first.sort(key=lambda each: (each.keys[0] == customer, _SURE_CUES.index(each.strength)))
    surnames = [FullName(last=each.keys) for each in given if each.is_surname]
    return [_full_name(each.keys) for each in with_first] + surnames


def _confirmed_names(introductions: Iterable[Introduction], called: set[str]) -> list[FullName]:
    """Names that the agent may have given ("it's Michael") and by which the customer then calls the agent."""
    return [
        _full_name(each.reading.keys)
        for each in introductions
        # "It's Jennifer?" asks for the customer's name.
        if each.reading is not None and each.reading.keys[0] in called and not each.reading.is_asked
    ]


def _customers_names(turns: Iterable[ParsedTurn]) -> list[FullName]:
    """The customer's names as they stand in the text: given as their own, or in answer to a question for it."""
    names: list[FullName] = []
    for turn in turns:
        if turn.speaker == "customer":
            given = [each.keys for each in turn.introductions if each.keys and each.strength != "faint"]
            answer = [turn.answer.keys] if turn.answers_for_name and turn.answer is not None else []
            names += [_full_name(keys) for keys in given or answer]
    return names


def _full_name(keys: Sequence[str]) -> FullName:
    """The surname is the last word with the particles before it ("de la cruz"); one word alone is a first name."""
    if len(keys) < 2:
        return FullName("".join(keys))
    particles = list(takewhile(lambda key: key in vocabulary("particles"), reversed(keys[1:-1])))
    start = len(keys) - 1 - len(particles)
    return FullName(keys[0], tuple(keys[1:start]), tuple(keys[start:]))
