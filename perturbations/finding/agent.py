"""The agent of a transcript: every place where the text names them or tells their gender, found once.

Each turn is read once into a table (`parsed_turn`), the table tells who the agent is (`agent_name`), their name gives
the mentions (`mention`), which are sorted by whom they mean (`meaning`), and those of the agent give the places
(`agent_span`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from perturbations.finding.agent_name import AgentName, find_agent_name
from perturbations.finding.agent_span import NameSpan, TermSpan, name_spans, term_spans
from perturbations.finding.gender_terms import title_genders
from perturbations.finding.meaning import agents_terms, means_agent
from perturbations.finding.mention import find_mentions
from perturbations.finding.parsed_turn import ParsedTurn, parse_turns
from perturbations.records.transcript import Gender, Person, Transcript, Turn
from perturbations.text.language import speaks_english
from perturbations.writer import NotApplicable


@dataclass(frozen=True)
class Agent:
    """The agent as the transcript shows them.

    `names` and `terms` are places in the original text, in order and disjoint. `gender` is the record's, else the
    name's usual one, else that of a title which the agent bears, else None. `words` are the keys of all words of the
    transcript: a name among them is never drawn.
    """

    name: AgentName
    names: tuple[NameSpan, ...]
    terms: tuple[TermSpan, ...]
    gender: Gender | None
    words: frozenset[str]


def find_agent(transcript: Transcript) -> Agent | NotApplicable:
    """The agent, or why there is none to rename: `language` (not English), or a reason of `find_agent_in`."""
    if not speaks_english(transcript.language):
        return NotApplicable("language")
    return _find(transcript.turns, transcript.agent, transcript.customer)


@lru_cache(maxsize=4)
def _find(turns: tuple[Turn, ...], agent: Person, customer: Person) -> Agent | NotApplicable:
    # Every attribute of every name row asks for the same transcript in turn.
    return find_agent_in(parse_turns(turns), agent, customer)


def find_agent_in(turns: Sequence[ParsedTurn], agent: Person, customer: Person) -> Agent | NotApplicable:
    """The agent of turns that are read already, with what the record knows of the two; or why there is none.

    `name_redacted`: a mark stands where the name was said. `no_agent_name`: neither the record nor the text gives
    one. `agent_name_not_said`: the record gives one that the text never holds.
    """
    name = find_agent_name(turns, agent, customer)
    if isinstance(name, NotApplicable):
        return name
    mentions = [mention for mention in find_mentions(turns, name) if means_agent(mention, name)]
    names = name_spans(turns, mentions, name)
    if not names:
        return NotApplicable("agent_name_not_said")
    terms = term_spans(agents_terms(turns, mentions, name), names)
    titled = [title_genders()[term.key] for term in terms if term.key in title_genders()]
    return Agent(
        name=name,
        names=names,
        terms=terms,
        gender=name.gender or next(iter(titled), None),
        words=name.keys.union(word.key for turn in turns for word in turn.said.words),
    )
