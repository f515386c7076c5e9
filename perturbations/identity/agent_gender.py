"""`agent_gender`: first name, titles, pronouns and terms of address of the agent; the surname stays."""

from __future__ import annotations

from typing import cast

from perturbations.draw import Draw
from perturbations.finding.agent import Agent, find_agent
from perturbations.finding.agent_span import TermSpan
from perturbations.finding.gender_terms import terms
from perturbations.identity.name_draw import draw_name, none_left
from perturbations.identity.names import COMMON, DIMENSION_GROUPS, NameLists
from perturbations.identity.renaming import like, rename
from perturbations.records.edit import Replacement
from perturbations.records.transcript import Gender, Transcript
from perturbations.text.casing import CURLY
from perturbations.text.word import fold
from perturbations.writer import Change, NotApplicable, Writer


def gender_writer(lists: NameLists) -> Writer:
    """The writer of an agent of the attribute's gender, named from the group of the agent's own name if it is known.

    The group is that of the first name in the lists of ethnicities, else of religions, else that of the surname;
    an agent of no known group is named from the common names. Not applicable for the reasons of `find_agent`, and
    `no_first_name` where the agent stands with a surname alone.
    """

    def write(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
        agent = find_agent(transcript)
        if isinstance(agent, NotApplicable):
            return agent
        if not any(span.part == "first" for span in agent.names):
            return NotApplicable("no_first_name")
        gender = cast(Gender, attribute)
        names = lists.firsts(known_group(agent, lists), gender)
        name = draw_name(names, draw, "first_name", taken=agent.words)
        if name is None:
            return none_left(draw)
        renamed = rename(agent.names, first=name.name, last=None)
        gendered = [edit for term in agent.terms if (edit := _gendered(term, gender)) is not None]
        edits: list[Replacement] = [*renamed, *gendered]
        edits.sort(key=lambda edit: (edit.turn, edit.start))
        return Change(edits=tuple(edits))

    return write


def known_group(agent: Agent, lists: NameLists) -> str:
    """The group that the agent's own name tells, `COMMON` where it tells none."""
    groups = [group for groups in DIMENSION_GROUPS.values() for group in groups]
    first = lists.group_of(agent.name.first, "first", groups)
    last = lists.group_of("".join(agent.name.last), "last", groups) if agent.name.last else None
    return first or last or COMMON


def _gendered(term: TermSpan, gender: Gender) -> Replacement | None:
    after = like(term.text, terms(term.kind)[term.key][gender])
    if term.is_curly:
        after = after.replace("'", CURLY)
    if fold(after) == term.key:
        return None
    return Replacement(turn=term.turn, start=term.start, end=term.end, before=term.text, after=after)
