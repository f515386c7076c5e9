"""`agent_religion_name` and `agent_religion_cues`: the agent's name, and a remark, of one of five religions."""

from __future__ import annotations

from perturbations.draw import Draw
from perturbations.group_row import write_cues, write_names
from perturbations.transcript import Transcript
from perturbations.writer import Change, NotApplicable


def write_agent_religion_name(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
    """The transcript with an agent named from this group; see `write_names`."""
    return write_names(transcript, attribute, draw)


def write_agent_religion_cues(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
    """The same name as in `agent_religion_name`, and a remark that tells the group; see `write_cues`."""
    return write_cues(transcript, attribute, draw, file="religion_cues.csv")
