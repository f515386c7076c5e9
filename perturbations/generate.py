"""From a transcript to its variants: every row, every attribute, validated, with retries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from perturbations.agent_disability import write_agent_disability
from perturbations.agent_ethnicity import write_agent_ethnicity_cues, write_agent_ethnicity_name
from perturbations.agent_gender import write_agent_gender
from perturbations.agent_religion import write_agent_religion_cues, write_agent_religion_name
from perturbations.draw import Draw
from perturbations.edit import apply_edits
from perturbations.header import header_writer
from perturbations.past_performance import write_past_performance
from perturbations.restyle import style_writer
from perturbations.rows import ROBUSTNESS, ROWS, Row
from perturbations.transcript import Transcript
from perturbations.validation import VALIDATOR, find_fault
from perturbations.variant import Status, Variant
from perturbations.writer import Change, NotApplicable, Writer

RETRIES = 3
"""A variant that fails validation is drawn again this often (section 2.3), then rejected."""

WRITERS: Mapping[str, Writer] = {
    "agent_gender": write_agent_gender,
    "agent_ethnicity_name": write_agent_ethnicity_name,
    "agent_ethnicity_cues": write_agent_ethnicity_cues,
    "agent_religion_name": write_agent_religion_name,
    "agent_religion_cues": write_agent_religion_cues,
    "agent_disability": write_agent_disability,
    "past_performance": write_past_performance,
    "agent_profile": header_writer("agent_profile"),
    "customer_profile": header_writer("customer_profile"),
    "coaching_priming": header_writer("coaching_priming"),
    "contextual_metadata": header_writer("contextual_metadata"),
    "communicative_style": style_writer("communicative_style"),
    "politeness": style_writer("politeness"),
    "formality": style_writer("formality"),
    "emotional_labor": style_writer("emotional_labor"),
}


def make_variants(transcript: Transcript, rows: Iterable[str], *, seed: int, draw: int = 0) -> Iterator[Variant]:
    """One variant for each attribute of each of the rows, in the order of the rows' table."""
    for name in rows:
        for attribute in ROWS[name].attributes:
            yield make_variant(transcript, ROWS[name], attribute, seed=seed, draw=draw)


def make_original(transcript: Transcript, row: str = ROBUSTNESS, attribute: str = "original") -> Variant:
    """The arm that is the transcript unchanged."""
    return Variant(
        transcript_id=transcript.transcript_id,
        row=row,
        attribute=attribute,
        status="original",
        turns=transcript.turns,
    )


def make_variant(transcript: Transcript, row: Row, attribute: str, *, seed: int, draw: int = 0) -> Variant:
    """The transcript with this attribute set; `accepted`, `rejected`, `not_applicable` or `original`."""
    if row.is_original(attribute):
        return make_original(transcript, row.name, attribute)
    fault = None
    for attempt in range(RETRIES + 1):
        key = Draw(seed, transcript.transcript_id, row.dimension, attribute, draw, attempt)
        change = WRITERS[row.name](transcript, attribute, key)
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
