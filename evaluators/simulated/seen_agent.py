"""The agent as the judge sees them: the name in the conversation, and what it tells by the lists of names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from perturbations.finding.agent import find_agent
from perturbations.finding.agent_name import AgentName, find_agent_name
from perturbations.finding.lexicon import first_names, ordinary_words, usual_gender
from perturbations.finding.parsed_turn import ParsedTurn, parse_turns
from perturbations.identity.name_lists import own_lists
from perturbations.identity.names import DIMENSION_GROUPS, NameKind
from perturbations.records.transcript import Gender, Person, Transcript, Turn
from perturbations.writer import NotApplicable


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
    shown = Transcript.model_construct(transcript_id="-", turns=turns)
    parsed = tuple(_parsed(turn) for turn in turns if turn.speaker in ("agent", "customer"))
    name = find_agent_name(shown, parsed)
    if isinstance(name, AgentName):
        return SeenAgent(name.first, "".join(name.last))
    for key in dict.fromkeys(word.key for turn in parsed for word in turn.words):
        if key in _listed_genders() or (key in first_names() and key not in ordinary_words()):
            found = find_agent(shown.model_copy(update={"agent": Person(name=key)}))
            if not isinstance(found, NotApplicable):
                return SeenAgent(key)
    return None


@lru_cache(maxsize=5_000)
def _parsed(turn: Turn) -> ParsedTurn:
    # The arms of a transcript share most of their turns. The turn's place is no part of what is asked here.
    return parse_turns((turn,))[0]


@cache
def _listed_genders() -> dict[str, Gender | None]:
    """The gender of every listed first name by its key; None where both genders bear it."""
    found: dict[str, Gender | None] = {}
    for name in own_lists().names:
        if name.kind == "first":
            gender: Gender | None = None if name.gender == "any" else name.gender
            found[name.key] = gender if found.get(name.key, gender) == gender else None
    return found


@cache
def _group(key: str, kind: NameKind, dimension: str) -> str | None:
    return own_lists().group_of(key, kind, DIMENSION_GROUPS[dimension])
