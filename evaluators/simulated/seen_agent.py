"""The agent as the judge sees them: the name in the conversation, and what it tells by the lists of names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from perturbations.finding.agent import Agent, find_agent_in
from perturbations.finding.agent_name import AgentName, find_agent_name
from perturbations.finding.lexicon import first_names, ordinary_words, usual_gender
from perturbations.finding.parsed_turn import ParsedTurn, spoken_turns
from perturbations.identity.name_lists import own_lists
from perturbations.identity.names import DIMENSION_GROUPS, NameKind
from perturbations.records.transcript import Gender, Person, Turn

_NOBODY = Person()


@dataclass(frozen=True)
class SeenAgent:
    """The agent's first name and surname as keys, each empty where it isn't to be seen."""

    first: str = ""
    last: str = ""

    @property
    def gender(self) -> Gender | None:
        """The gender of the first name by the lists, else its usual one; None where both genders bear it."""
        # After a title ("miss Jamal") a first name reads like a surname.
        first = self.first or self.last
        return _listed_genders()[first] if first in _listed_genders() else usual_gender(first)

    def group(self, dimension: str) -> str | None:
        """The group of the first name in the lists of a dimension, else that of the surname."""
        return _group(self.first or self.last, "first", dimension) or _group(self.last, "last", dimension)


@lru_cache(maxsize=64)
def seen_agent(turns: tuple[Turn, ...]) -> SeenAgent | None:
    """Who the agent is by the conversation alone, or None where it doesn't tell.

    The name is the one that the agent gives; where they give none, a known first name that stands where the agent
    is called or spoken of.
    """
    parsed = [_parsed(*spoken) for spoken in spoken_turns(turns)]
    name = find_agent_name(parsed, _NOBODY, _NOBODY)
    if isinstance(name, AgentName):
        return SeenAgent(name.first, name.surname)
    for key in dict.fromkeys(word.key for turn in parsed for word in turn.said.words):
        is_name = key in _listed_genders() or (key in first_names() and key not in ordinary_words())
        if is_name and isinstance(find_agent_in(parsed, Person(name=key), _NOBODY), Agent):
            return SeenAgent(key)
    return None


@lru_cache(maxsize=5_000)
def _parsed(index: int, turn: Turn, before: Turn | None) -> ParsedTurn:
    # The arms of a transcript share most of their turns, and the table keeps what was once read.
    return ParsedTurn(index, turn, before)


@cache
def _listed_genders() -> dict[str, Gender | None]:
    """The gender of every listed first name by its key; None where both genders bear it."""
    genders: dict[str, Gender | None] = {}
    for name in own_lists().names:
        if name.kind == "first":
            gender: Gender | None = None if name.gender == "any" else name.gender
            genders[name.key] = gender if genders.get(name.key, gender) == gender else None
    return genders


@cache
def _group(key: str, kind: NameKind, dimension: str) -> str | None:
    return own_lists().group_of(key, kind, DIMENSION_GROUPS[dimension])
