"""Rows that name the agent anew, by rules (operation 1), alone or with a remark that tells the attribute (2)."""

from __future__ import annotations

from typing import cast

from perturbations.draw import EVERY_ATTRIBUTE, Draw
from perturbations.finding.agent import find_agent
from perturbations.identity.agent_gender import regender
from perturbations.identity.drawn_identity import draw_identity, renamed_subject
from perturbations.identity.names import NameLists
from perturbations.identity.remark import Remarks
from perturbations.identity.remark_place import add_remark, farewell_turn
from perturbations.identity.renaming import rename
from perturbations.records.edit import Replacement
from perturbations.records.transcript import Gender, Transcript
from perturbations.rows import Row
from perturbations.writer import Change, NotApplicable, RowRule


def renaming_rule(row: Row, names: NameLists, remarks: Remarks | None) -> RowRule:
    """The rule that writes the drawn name wherever the agent's own stands, in the form in which it stands.

    Where the attribute is a gender, titles, pronouns and terms of address follow and the surname stays; where it is a
    group they stay, since the gender does. A remark stands at the same place in every attribute. Not applicable for
    the reasons of `find_agent` and `draw_identity`, and `no_first_name` where the attribute is a gender and the agent
    stands with a surname alone.
    """

    def write(transcript: Transcript, draw: Draw) -> Change | NotApplicable:
        agent = find_agent(transcript)
        if isinstance(agent, NotApplicable):
            return agent
        if row.named_by == "gender" and not any(span.part == "first" for span in agent.names):
            return NotApplicable("no_first_name")
        farewell = farewell_turn(transcript.turns, agent) if remarks is not None else None
        subject = renamed_subject(transcript.channel, agent, says_goodbye=farewell is not None)
        drawn = draw_identity(row, subject, draw, names, remarks)
        if isinstance(drawn, NotApplicable):
            return drawn
        names_anew = rename(agent.names, first=drawn.first_name, last=drawn.surname)
        gendered: list[Replacement] = []
        if row.named_by == "gender":
            gendered = regender(agent.terms, cast(Gender, draw.attribute))
        edits = sorted([*names_anew, *gendered], key=lambda edit: (edit.turn, edit.start))
        if drawn.remark is None:
            return Change(edits=tuple(edits))
        shared = draw.for_attribute(EVERY_ATTRIBUTE)
        return Change(edits=(*edits, add_remark(transcript.turns, drawn.remark, shared, farewell=farewell)))

    return write
