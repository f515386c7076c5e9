"""The variant record of what became of one arm."""

from __future__ import annotations

from perturbations.draw import Draw
from perturbations.records.edit import apply_edits
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant
from perturbations.rows import ORIGINAL, ROBUSTNESS, Row
from perturbations.writer import BadDraw, Change, NotApplicable


def make_original(transcript: Transcript, row: str = ROBUSTNESS, attribute: str = ORIGINAL) -> Variant:
    """The arm that is the transcript unchanged."""
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row,
        attribute=attribute,
        status="original",
        turns=transcript.turns,
    )


def make_variant(
    transcript: Transcript, row: Row, draw: Draw, outcome: Change | NotApplicable | BadDraw, *, validator: str
) -> Variant:
    """The arm of `draw.attribute` after as many retries as the draw's attempt says: accepted, or why it isn't there.

    `not_applicable` as its writer said, which no validator was asked about; `rejected` for the last bad draw.
    """
    if isinstance(outcome, Change):
        return Variant(
            transcript_id=transcript.transcript_id,
            row=row.name,
            attribute=draw.attribute,
            draw=draw.draw,
            status="accepted",
            retries=draw.attempt,
            validator=validator,
            header=outcome.header,
            turns=apply_edits(transcript.turns, outcome.edits),
            edits=outcome.edits,
        )
    rejected = isinstance(outcome, BadDraw)
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row.name,
        attribute=draw.attribute,
        draw=draw.draw,
        status="rejected" if rejected else "not_applicable",
        reason=outcome.reason,
        retries=draw.attempt,
        validator=validator if rejected else None,
    )
