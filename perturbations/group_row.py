"""What the rows of ethnicity and religion share: a name of the group, alone or with a cue."""

from __future__ import annotations

from dataclasses import replace

from perturbations.agent import find_agent
from perturbations.cues import add_cue, frames
from perturbations.draw import Draw
from perturbations.group_name import rename_for_group
from perturbations.names import DIMENSION_GROUPS, own_lists
from perturbations.transcript import Transcript
from perturbations.writer import Change, NotApplicable


def write_names(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
    """The transcript with the agent named from this group; titles and pronouns stay, since the gender does.

    Not applicable for the reasons of `find_agent` and `rename_for_group`.
    """
    agent = find_agent(transcript)
    if isinstance(agent, NotApplicable):
        return agent
    edits = rename_for_group(transcript, agent, attribute, draw, lists=own_lists())
    return edits if isinstance(edits, NotApplicable) else Change(edits=tuple(edits))


def write_cues(transcript: Transcript, attribute: str, draw: Draw, *, file: str) -> Change | NotApplicable:
    """The transcript with the agent named from this group and one cue of it from the file.

    A retry draws another cue and keeps the name, so that the row goes on differing from its names by cues alone.
    """
    agent = find_agent(transcript)
    if isinstance(agent, NotApplicable):
        return agent
    edits = rename_for_group(transcript, agent, attribute, replace(draw, attempt=0), lists=own_lists())
    if isinstance(edits, NotApplicable):
        return edits
    cues = frames(file, DIMENSION_GROUPS[draw.dimension])
    return Change(edits=(*edits, add_cue(transcript, agent, attribute, draw, cues=cues)))
