"""Rows of a remark alone, by rules: one neutral turn in which the agent tells the attribute (operation 2)."""

from __future__ import annotations

from perturbations.draw import Draw
from perturbations.identity.remark import Remarks
from perturbations.identity.remark_place import add_remark
from perturbations.records.transcript import Transcript
from perturbations.text.language import speaks_english
from perturbations.writer import Change, NotApplicable, RowRule


def remark_rule(remarks: Remarks) -> RowRule:
    """The rule that adds one turn of the agent, drawn from these remarks, the placebo's another one.

    Not applicable for `language`, where no agent speaks (`no_agent_turn`), where no remark fits the channel
    (`no_cue`), and for a placebo without another remark (`no_second_draw`).
    """

    def write(transcript: Transcript, draw: Draw) -> Change | NotApplicable:
        if not speaks_english(transcript.language):
            return NotApplicable("language")
        if not any(turn.speaker == "agent" for turn in transcript.turns):
            return NotApplicable("no_agent_turn")
        remark = remarks.draw(draw, channel=transcript.channel, says_goodbye=False)
        if isinstance(remark, NotApplicable):
            return remark
        return Change(edits=(add_remark(transcript.turns, remark, draw),))

    return write
