"""The variant record of what became of one arm."""

from __future__ import annotations

from perturbations.draw import Draw
from perturbations.records.edit import apply_edits
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Status, Variant
from perturbations.rows import ORIGINAL, ROBUSTNESS, Row
from perturbations.writer import Change


def make_original(transcript: Transcript, row: str = ROBUSTNESS, attribute: str = ORIGINAL) -> Variant:
    """The arm that is the transcript unchanged."""
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row,
        attribute=attribute,
        status="original",
        turns=transcript.turns,
    )


def changed_variant(transcript: Transcript, row: Row, draw: Draw, change: Change, *, validator: str) -> Variant:
    """The accepted variant, after as many retries as the draw's attempt says."""
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row.name,
        attribute=draw.attribute,
        draw=draw.draw,
        status="accepted",
        retries=draw.attempt,
        validator=validator,
        header=change.header,
        turns=apply_edits(transcript.turns, change.edits),
        edits=change.edits,
    )


def missing_variant(
    row: Row, draw: Draw, status: Status, reason: str | None, *, validator: str | None = None
) -> Variant:
    """A variant that isn't there, and why: rejected by the validator, or not applicable."""
    return Variant(
        transcript_id=draw.transcript_id,
        row=row.name,
        attribute=draw.attribute,
        draw=draw.draw,
        status=status,
        reason=reason,
        retries=draw.attempt,
        validator=validator,
    )
