"""From a transcript to its variants: every row, every attribute, validated, with retries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from perturbations.draw import RETRIES, Draw
from perturbations.edit import apply_edits
from perturbations.rows import ROBUSTNESS, ROWS, Row
from perturbations.transcript import Transcript
from perturbations.validation import VALIDATOR, find_fault
from perturbations.variant import Status, Variant
from perturbations.writer import Change, NotApplicable, Writer
from perturbations.writers import WRITERS


def make_variants(
    transcript: Transcript,
    rows: Iterable[str],
    *,
    seed: int,
    draw: int = 0,
    writers: Mapping[str, Writer] = WRITERS,
) -> Iterator[Variant]:
    """One variant for each attribute of each of the rows, in the order of the rows' table."""
    for name in rows:
        for attribute in ROWS[name].attributes:
            yield make_variant(transcript, ROWS[name], attribute, seed=seed, draw=draw, writers=writers)


def make_original(transcript: Transcript, row: str = ROBUSTNESS, attribute: str = "original") -> Variant:
    """The arm that is the transcript unchanged."""
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row,
        attribute=attribute,
        status="original",
        turns=transcript.turns,
    )


def make_variant(
    transcript: Transcript,
    row: Row,
    attribute: str,
    *,
    seed: int,
    draw: int = 0,
    writers: Mapping[str, Writer] = WRITERS,
) -> Variant:
    """The transcript with this attribute set; `accepted`, `rejected`, `not_applicable` or `original`."""
    if row.is_original(attribute):
        return make_original(transcript, row.name, attribute)
    fault = None
    for attempt in range(RETRIES + 1):
        key = Draw(seed, transcript.transcript_id, row.dimension, attribute, draw, attempt)
        change = writers[row.name](transcript, attribute, key)
        if isinstance(change, NotApplicable):
            return _without_text(transcript, row, attribute, draw, "not_applicable", change.reason, attempt)
        fault = find_fault(transcript, row, change)
        if fault is None:
            return _accepted(transcript, row, attribute, draw, change, attempt)
    return _without_text(transcript, row, attribute, draw, "rejected", fault, RETRIES)


def _accepted(transcript: Transcript, row: Row, attribute: str, draw: int, change: Change, retries: int) -> Variant:
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row.name,
        attribute=attribute,
        draw=draw,
        status="accepted",
        retries=retries,
        validator=VALIDATOR,
        header=change.header,
        turns=apply_edits(transcript.turns, change.edits),
        edits=change.edits,
    )


def _without_text(
    transcript: Transcript, row: Row, attribute: str, draw: int, status: Status, reason: str | None, retries: int
) -> Variant:
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row.name,
        attribute=attribute,
        draw=draw,
        status=status,
        reason=reason,
        retries=retries,
        validator=VALIDATOR if status == "rejected" else None,
    )
