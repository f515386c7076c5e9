"""What rules can guarantee about a variant, checked on every one."""

from __future__ import annotations

from perturbations.edit import EditError, apply_edits, revert_edits
from perturbations.rows import Row
from perturbations.transcript import Transcript
from perturbations.writer import Change

VALIDATOR = "rules"
"""The name under which these checks are recorded."""


def find_fault(transcript: Transcript, row: Row, change: Change) -> str | None:
    """The first thing wrong with this change, as a short snake_case word, or None."""
    if not change.edits and change.header is None:
        return "nothing_changed"
    try:
        turns = apply_edits(transcript.turns, change.edits)
        if revert_edits(turns, change.edits) != transcript.turns:
            return "round_trip"
    except EditError:
        return "edits_do_not_fit"
    if any(not turn.text.strip() for turn in turns) and all(turn.text.strip() for turn in transcript.turns):
        return "empty_turn"
    return None
