"""The agent of a transcript: every place where the text names them or tells their gender, found once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from perturbations.finding.address_name import address_spans, own_addresses
from perturbations.finding.agent_mention import agent_mentions
from perturbations.finding.agent_name import AgentName, find_agent_name
from perturbations.finding.agent_span import NameSpan
from perturbations.finding.agent_term import TermSpan, term_spans
from perturbations.finding.gender_terms import marked_gender
from perturbations.finding.mention import Mention
from perturbations.finding.parsed_turn import ParsedTurn, parse_turns
from perturbations.finding.spelled_name import spelled_spans
from perturbations.records.transcript import Gender, Person, Transcript, Turn
from perturbations.text.language import speaks_english
from perturbations.text.word import fold
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
    """The agent, or why there is none to rename.

    `language`: not English. `name_redacted`: a mark stands where the name was said. `no_agent_name`: neither the
    record nor the text gives one. `agent_name_not_said`: the record gives one that the text never holds.
    """
    if not speaks_english(transcript.language):
        return NotApplicable("language")
    return _find(transcript.turns, transcript.agent, transcript.customer)


@lru_cache(maxsize=4)
def _find(turns: tuple[Turn, ...], agent: Person, customer: Person) -> Agent | NotApplicable:
    # Every attribute of every name row asks for the same transcript in turn.
    transcript = Transcript(transcript_id="-", turns=turns, agent=agent, customer=customer)
    parsed = parse_turns(turns)
    name = find_agent_name(transcript, parsed)
    if isinstance(name, NotApplicable):
        return name
    names, terms = _places(parsed, name)
    if not names:
        return NotApplicable("agent_name_not_said")
    spoken = {word.key for turn in parsed for word in turn.words}
    titled = (marked_gender("title", fold(turns[each.turn].text[each.start : each.end])) for each in terms)
    return Agent(
        name=name,
        names=names,
        terms=terms,
        gender=name.gender or next((gender for gender in titled if gender is not None), None),
        words=frozenset(spoken | name.firsts | set(name.last) | name.customer_firsts | name.customer_lasts),
    )


def _places(turns: tuple[ParsedTurn, ...], name: AgentName) -> tuple[tuple[NameSpan, ...], tuple[TermSpan, ...]]:
    names: list[NameSpan] = []
    terms: list[TermSpan] = []
    known = frozenset(address for turn in turns for address in own_addresses(turn, name))
    previous: ParsedTurn | None = None
    for turn in turns:
        asked = previous is not None and turn.speaker == "customer" and previous.asks_for_name
        mentions: list[Mention] = agent_mentions(turn, name, after_question_for_name=asked)
        found = address_spans(turn, name, known=known)
        found += [span for mention in mentions for span in mention.spans(turn)]
        found += spelled_spans(turn, mentions, name)
        names += _disjoint(found)
        terms += term_spans(turn, mentions, name, previous=previous)
        previous = turn if turn.speaker == "agent" else None
    return tuple(names), tuple(_free_of(terms, names))


def _disjoint(spans: list[NameSpan]) -> list[NameSpan]:
    """The spans of one turn in order; of two that overlap the one that begins first."""
    kept: list[NameSpan] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _free_of(terms: list[TermSpan], names: list[NameSpan]) -> list[TermSpan]:
    taken = {(span.turn, place) for span in names for place in range(span.start, span.end)}
    kept: list[TermSpan] = []
    for term in terms:
        overlaps = bool(kept) and kept[-1].turn == term.turn and term.start < kept[-1].end
        if not overlaps and (term.turn, term.start) not in taken:
            kept.append(term)
    return kept
