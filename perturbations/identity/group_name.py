"""The agent renamed for one group of ethnicity or religion: first name and surname, the gender kept."""

from __future__ import annotations

from dataclasses import replace

from perturbations.draw import Draw
from perturbations.finding.agent import Agent
from perturbations.identity.name_draw import draw_name, none_left
from perturbations.identity.names import NameLists
from perturbations.identity.renaming import rename
from perturbations.records.edit import Replacement
from perturbations.records.transcript import Gender, Transcript
from perturbations.writer import NotApplicable

_EVERY_ATTRIBUTE = "*"


def rename_for_group(
    transcript: Transcript, agent: Agent, group: str, draw: Draw, *, lists: NameLists
) -> list[Replacement] | NotApplicable:
    """The edits that name the agent from this group, in every form in which the name stands.

    `no_name_left`, for a placebo `no_second_draw`: the transcript holds every name that could be drawn.
    """
    first = draw_name(lists.firsts(group, kept_gender(agent, draw)), draw, "first_name", taken=agent.words)
    if first is None:
        return none_left(draw)
    last = None
    if any(span.part == "last" for span in agent.names):
        last = draw_name(lists.lasts(group), draw, "surname", taken=agent.words | {first.key})
        if last is None:
            return none_left(draw)
    return rename(agent.names, first=first.name, last=last.name if last else None)


def kept_gender(agent: Agent, draw: Draw) -> Gender:
    """The agent's gender; where nothing tells it, one that is drawn for all arms of the transcript."""
    return agent.gender if agent.gender is not None else drawn_gender(draw)


def drawn_gender(draw: Draw) -> Gender:
    """A gender that is drawn for all arms of the transcript."""
    genders: tuple[Gender, ...] = ("female", "male")
    return replace(draw.for_attribute(_EVERY_ATTRIBUTE), draw=0, attempt=0).pick(genders, "gender")
