"""An LLM's rewritten turns as edits: read strictly, compared word by word, and checked for what it must not touch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from perturbations.finding.introduction import REDACTION
from perturbations.records.edit import Edit, Insertion, apply_edits
from perturbations.records.transcript import Transcript, Turn
from perturbations.text.word import fold
from perturbations.text.word_edits import word_edits
from perturbations.writer import Change, NotApplicable

DECLINED = "rewriter_declined"
"""The reason where the LLM says that the task can't be done on this transcript."""

REWRITE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "applicable": {"type": "boolean"},
        "turns": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"turn": {"type": "integer"}, "text": {"type": "string"}},
                "required": ["turn", "text"],
                "additionalProperties": False,
            },
        },
        "added": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"before": {"type": "integer"}, "text": {"type": "string"}},
                "required": ["before", "text"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["applicable", "turns", "added"],
    "additionalProperties": False,
}

_NOISE = re.compile(r"<[a-z_ ]{1,20}>|\[[a-z_ ]{1,30}\]", re.IGNORECASE)
_BETWEEN_LETTERS = re.compile(r"[\s.\-]")


class ReplyFault(ValueError):
    """A reply that isn't what was asked for; the message is one word, a reason."""


def read_rewriting(reply: Mapping[str, object], transcript: Transcript) -> Change | NotApplicable:
    """The change that the reply makes, as edits of the words that differ; `rewriter_declined` where it makes none.

    Raises ReplyFault with `reply_form` where the reply lacks a part or a part has another type, and with
    `unknown_turn` where a turn isn't there or stands twice.
    """
    if reply.get("applicable") is False:
        return NotApplicable(DECLINED)
    turns, added = reply.get("turns"), reply.get("added", [])
    if reply.get("applicable") is not True or not isinstance(turns, list) or not isinstance(added, list):
        raise ReplyFault("reply_form")
    edits: list[Edit] = []
    seen: set[int] = set()
    for entry in turns:
        turn, text = _entry(entry, "turn")
        if not 0 <= turn < len(transcript.turns) or turn in seen:
            raise ReplyFault("unknown_turn")
        seen.add(turn)
        edits += word_edits(turn, transcript.turns[turn].text, text)
    for entry in added:
        before, text = _entry(entry, "before")
        if not 0 <= before <= len(transcript.turns):
            raise ReplyFault("unknown_turn")
        edits.append(Insertion(turn=before, speaker="agent", after=text.strip()))
    return Change(edits=tuple(sorted(edits, key=_place)))


def rewriting_faults(transcript: Transcript, change: Change, *, first_name: str | None) -> Iterator[str]:
    """What is wrong with a change that rules would never make.

    `added_turns`: more than one turn was added, or one before the first. `marks`: a mark of noise or of something
    taken out is gone, or a new one is there. `name_not_used`: the drawn name stands nowhere.
    """
    added = [edit.turn for edit in change.edits if isinstance(edit, Insertion)]
    if len(added) > 1 or 0 in added:
        yield "added_turns"
    if _marks(apply_edits(transcript.turns, change.edits)) != _marks(transcript.turns):
        yield "marks"
    if first_name is not None and not any(_holds(edit.after, first_name) for edit in change.edits):
        yield "name_not_used"


def _marks(turns: Sequence[Turn]) -> Counter[str]:
    return Counter(
        mark[0] for turn in turns for pattern in (REDACTION, _NOISE) for mark in pattern.finditer(turn.text)
    )


def _holds(text: str, name: str) -> bool:
    """Whether the name stands in the text, also letter by letter: "M-A-R-I-A"."""
    return fold(name) in fold(text) or fold(name) in fold(_BETWEEN_LETTERS.sub("", text))


def _entry(entry: object, number: str) -> tuple[int, str]:
    place, text = (entry.get(number), entry.get("text")) if isinstance(entry, dict) else (None, None)
    if not isinstance(place, int) or isinstance(place, bool) or not isinstance(text, str):
        raise ReplyFault("reply_form")
    return place, text


def _place(edit: Edit) -> tuple[int, int]:
    return edit.turn, -1 if isinstance(edit, Insertion) else edit.start
