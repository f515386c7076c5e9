"""What the rows of ethnicity and religion share: a name of the group, alone or with a cue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perturbations.draw import Draw
from perturbations.finding.agent import find_agent
from perturbations.identity.cues import Frame, add_cue
from perturbations.identity.group_name import rename_for_group
from perturbations.identity.names import NameLists
from perturbations.records.transcript import Transcript
from perturbations.writer import Change, NotApplicable, Writer


def names_writer(lists: NameLists) -> Writer:
    """The writer that names the agent from the attribute's group; titles and pronouns stay, since the gender does.

    Not applicable for the reasons of `find_agent` and `rename_for_group`.
    """

    def write(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
        agent = find_agent(transcript)
        if isinstance(agent, NotApplicable):
            return agent
        edits = rename_for_group(transcript, agent, attribute, draw, lists=lists)
        return edits if isinstance(edits, NotApplicable) else Change(edits=tuple(edits))

    return write


def cues_writer(lists: NameLists, cues: Sequence[Frame]) -> Writer:
    """The writer that names the agent from the attribute's group and adds one cue of it.

    A retry draws another cue and keeps the name, so that the row goes on differing from its names by cues alone. Not
    applicable where the names aren't, and for a placebo without another cue (`no_second_draw`).
    """

    def write(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
        agent = find_agent(transcript)
        if isinstance(agent, NotApplicable):
            return agent
        edits = rename_for_group(transcript, agent, attribute, replace(draw, attempt=0), lists=lists)
        if isinstance(edits, NotApplicable):
            return edits
        cue = add_cue(transcript, agent, attribute, draw, cues=cues)
        return cue if isinstance(cue, NotApplicable) else Change(edits=(*edits, cue))

    return write
