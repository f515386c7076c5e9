"""What rules can guarantee about a variant, checked on every one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perturbations.draw import Draw
from perturbations.records.edit import EditError, Insertion, Replacement, apply_edits, revert_edits
from perturbations.records.transcript import Transcript, Turn
from perturbations.rows import Row
from perturbations.text.article import wrong_articles
from perturbations.text.facts import email_domains, emails, numbers, urls
from perturbations.writer import BadDraw, Change

VALIDATOR = "rules"
"""The name under which these checks are recorded."""

FAULTS = (
    "nothing_changed",
    "unexpected_header",
    "unexpected_edit",
    "unexpected_insertion",
    "inserted_speaker",
    "speaker_changed",
    "customer_changed",
    "edits_do_not_fit",
    "round_trip",
    "empty_turn",
    "numbers",
    "addresses",
    "article",
)
"""Every word that `find_fault` gives."""


@dataclass(frozen=True)
class RuleValidator:
    """Checks what rules can guarantee."""

    @property
    def name(self) -> str:
        """How these checks are recorded."""
        return VALIDATOR

    async def check(self, transcript: Transcript, row: Row, draw: Draw, change: Change) -> BadDraw | None:
        """The first fault of the change; the next draw may have none."""
        fault = find_fault(transcript, row, change)
        return None if fault is None else BadDraw(fault)


def find_fault(transcript: Transcript, row: Row, change: Change) -> str | None:
    """The first thing wrong with this change, one of FAULTS, or None."""
    fault = _operation_fault(transcript, row, change)
    if fault is not None:
        return fault
    replacements = [edit for edit in change.edits if isinstance(edit, Replacement)]
    try:
        turns = apply_edits(transcript.turns, change.edits)
        if revert_edits(turns, change.edits) != transcript.turns:
            return "round_trip"
        # Without the turns that are added, so that each turn has its number.
        replaced = apply_edits(transcript.turns, replacements)
    except EditError:
        return "edits_do_not_fit"
    if turns == transcript.turns and change.header is None:
        return "nothing_changed"
    inserted = [edit.after for edit in change.edits if isinstance(edit, Insertion)]
    changed = {edit.turn: (transcript.turns[edit.turn], replaced[edit.turn]) for edit in replacements}
    return next(_text_faults(row, inserted, changed.values()), None)


def _operation_fault(transcript: Transcript, row: Row, change: Change) -> str | None:
    """Whether the change is of the kinds that the row's operations allow, at speakers whom it may touch."""
    if not change.edits and change.header is None:
        return "nothing_changed"
    if (change.header is not None) != (row.operations == (3,)):
        return "unexpected_edit" if change.header is None else "unexpected_header"
    if change.edits and row.operations == (3,):
        return "unexpected_edit"
    for edit in change.edits:
        if isinstance(edit, Insertion):
            if 2 not in row.operations:
                return "unexpected_insertion"
            if edit.speaker != "agent":
                return "inserted_speaker"
        elif edit.turn < len(transcript.turns):
            speaker = transcript.turns[edit.turn].speaker
            if speaker == "customer" and row.named_by is None:
                return "customer_changed"
            if speaker not in ("agent", "customer"):
                return "speaker_changed"
    return None


def _text_faults(row: Row, inserted: Iterable[str], changed: Iterable[tuple[Turn, Turn]]) -> Iterator[str]:
    """What is wrong with the words of the turns that were added, and of those that change (before, after)."""
    for text in inserted:
        if not text.strip():
            yield "empty_turn"
        if wrong_articles(text):
            yield "article"
    for before, after in changed:
        yield from _turn_faults(before, after, row)


def _turn_faults(before: Turn, after: Turn, row: Row) -> Iterator[str]:
    if before.text.strip() and not after.text.strip():
        yield "empty_turn"
    if numbers(before.text) != numbers(after.text):
        yield "numbers"
    # A person's name may stand in an e-mail address, and changes there with the person.
    kept = email_domains if row.category == "identity" else emails
    if urls(before.text) != urls(after.text) or kept(before.text) != kept(after.text):
        yield "addresses"
    if wrong_articles(after.text) - wrong_articles(before.text):
        yield "article"
