"""An LLM's rewritten turns as edits: read strictly, compared word by word, and checked for what it must not touch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from perturbations.finding.introduction import REDACTION
from perturbations.records.edit import Edit, Insertion
from perturbations.records.transcript import Transcript
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


def read_rewriting(
    reply: Mapping[str, object], transcript: Transcript, *, first_name: str | None
) -> Change | NotApplicable:
    """The change that the reply makes, as edits of the words that differ; `rewriter_declined` where it makes none.

    `first_name` is the drawn name that must come to stand in the text, None where none was drawn. Raises ReplyFault:
    `reply_form`: the reply lacks a part, or a part has another type. `unknown_turn`: a turn isn't there or stands
    twice. `added_turns`: more than one turn was added, or one before the first. `marks`: a mark of noise or of
    something taken out is gone, or a new one is there. `name_not_used`: the drawn name stands nowhere.
    """
    if reply.get("applicable") is False:
        return NotApplicable(DECLINED)
    texts, added = _read_turns(reply, len(transcript.turns))
    if len(added) > 1 or any(edit.turn == 0 for edit in added):
        raise ReplyFault("added_turns")
    before = [transcript.turns[turn].text for turn in texts]
    if _marks([*texts.values(), *(edit.after for edit in added)]) != _marks(before):
        raise ReplyFault("marks")
    edits: list[Edit] = [*added]
    for (turn, after), text in zip(texts.items(), before, strict=True):
        edits += word_edits(turn, text, after)
    if first_name is not None and not any(_holds(edit.after, first_name) for edit in edits):
        raise ReplyFault("name_not_used")
    return Change(edits=tuple(sorted(edits, key=_place)))


def _read_turns(reply: Mapping[str, object], count: int) -> tuple[dict[int, str], list[Insertion]]:
    """The new text of each turn that the reply names, and the turns that it adds; `count` turns are there."""
    turns, added = reply.get("turns"), reply.get("added", [])
    if reply.get("applicable") is not True or not isinstance(turns, list) or not isinstance(added, list):
        raise ReplyFault("reply_form")
    texts: dict[int, str] = {}
    for entry in turns:
        turn, text = _entry(entry, "turn")
        if not 0 <= turn < count or turn in texts:
            raise ReplyFault("unknown_turn")
        texts[turn] = text
    insertions: list[Insertion] = []
    for entry in added:
        place, text = _entry(entry, "before")
        if not 0 <= place <= count:
            raise ReplyFault("unknown_turn")
        insertions.append(Insertion(turn=place, speaker="agent", after=text.strip()))
    return texts, insertions


def _entry(entry: object, number: str) -> tuple[int, str]:
    place, text = (entry.get(number), entry.get("text")) if isinstance(entry, dict) else (None, None)
    if not isinstance(place, int) or isinstance(place, bool) or not isinstance(text, str):
        raise ReplyFault("reply_form")
    return place, text


def _marks(texts: Iterable[str]) -> Counter[str]:
    return Counter(mark[0] for text in texts for pattern in (REDACTION, _NOISE) for mark in pattern.finditer(text))


def _holds(text: str, name: str) -> bool:
    """Whether the name stands in the text, also letter by letter: "M-A-R-I-A"."""
    return fold(name) in fold(text) or fold(name) in fold(_BETWEEN_LETTERS.sub("", text))


def _place(edit: Edit) -> tuple[int, int]:
    return edit.turn, -1 if isinstance(edit, Insertion) else edit.start
