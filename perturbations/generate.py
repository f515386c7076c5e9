"""From a transcript to its variants: every row, every attribute, validated, with retries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from perturbations.draw import RETRIES, Draw
from perturbations.outcome import changed_variant, make_original, missing_variant
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant
from perturbations.row_writers import WRITERS
from perturbations.rows import ROWS, Row
from perturbations.validation import VALIDATOR, find_fault
from perturbations.writer import NotApplicable, Writer


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
            return missing_variant(row, key, "not_applicable", change.reason)
        fault = find_fault(transcript, row, change)
        if fault is None:
            return changed_variant(transcript, row, key, change, validator=VALIDATOR)
    return missing_variant(row, key, "rejected", fault, validator=VALIDATOR)
