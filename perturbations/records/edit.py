"""Edits: what a variant changed, exactly, so that the inverse gives the original back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from perturbations.records.reading import OWN
from perturbations.records.transcript import Speaker, Turn


class Replacement(BaseModel):
    """Text of one original turn replaced: `[start, end)` are Python string indices into its text."""

    model_config = OWN

    turn: Annotated[int, Field(ge=0)]
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    before: str
    after: str


class Insertion(BaseModel):
    """A turn inserted before original turn `turn` (the number of turns: at the end)."""

    model_config = OWN

    turn: Annotated[int, Field(ge=0)]
    insert: Literal[True] = True
    speaker: Speaker
    after: str


Edit = Replacement | Insertion


class EditError(ValueError):
    """Edits that don't fit the turns: they overlap, point outside, or `before` isn't what stands there."""


def apply_edits(turns: Sequence[Turn], edits: Sequence[Edit]) -> tuple[Turn, ...]:
    """The turns with every edit applied in one pass; text outside the edits stays byte for byte.

    Insertions at one place stand in the order of `edits`. Raises EditError where an edit doesn't fit the turns or two
    of them overlap.
    """
    insertions, replacements = _by_turn(edits)
    for edit in edits:
        limit = len(turns) if isinstance(edit, Insertion) else len(turns) - 1
        if edit.turn > limit:
            raise EditError(f"turn {edit.turn} is outside the transcript's {len(turns)} turns")
    result: list[Turn] = []
    for index in range(len(turns) + 1):
        result.extend(Turn(speaker=edit.speaker, text=edit.after) for edit in insertions.get(index, ()))
        if index < len(turns):
            result.append(_replaced(turns[index], replacements.get(index, ())))
    return tuple(result)


def revert_edits(turns: Sequence[Turn], edits: Sequence[Edit]) -> tuple[Turn, ...]:
    """The original turns, from a variant's turns and its edits: the inverse of `apply_edits`.

    Raises EditError where the variant doesn't hold what the edits say they wrote.
    """
    insertions, replacements = _by_turn(edits)
    original: list[Turn] = []
    position = 0
    while True:
        for edit in insertions.pop(len(original), ()):
            if position >= len(turns) or turns[position] != Turn(speaker=edit.speaker, text=edit.after):
                raise EditError(f"turn {position} is not the inserted turn")
            position += 1
        if position >= len(turns):
            break
        original.append(_restored(turns[position], replacements.pop(len(original), ())))
        position += 1
    if insertions or replacements:
        raise EditError(f"the variant ends before turn {min([*insertions, *replacements])}")
    return tuple(original)


def _by_turn(edits: Sequence[Edit]) -> tuple[dict[int, list[Insertion]], dict[int, list[Replacement]]]:
    insertions: dict[int, list[Insertion]] = {}
    replacements: dict[int, list[Replacement]] = {}
    for edit in edits:
        if isinstance(edit, Insertion):
            insertions.setdefault(edit.turn, []).append(edit)
        else:
            replacements.setdefault(edit.turn, []).append(edit)
    for here in replacements.values():
        here.sort(key=lambda edit: (edit.start, edit.end))
    return insertions, replacements


def _replaced(turn: Turn, edits: Sequence[Replacement]) -> Turn:
    if not edits:
        return turn
    pieces: list[str] = []
    done = 0
    for edit in edits:
        fits = edit.end - edit.start == len(edit.before) and turn.text.startswith(edit.before, edit.start)
        if edit.start < done or edit.end > len(turn.text) or not fits:
            raise EditError(f"the edit at turn {edit.turn}, {edit.start}-{edit.end} overlaps or doesn't fit")
        pieces += [turn.text[done : edit.start], edit.after]
        done = edit.end
    return Turn(speaker=turn.speaker, text="".join([*pieces, turn.text[done:]]))


def _restored(turn: Turn, edits: Sequence[Replacement]) -> Turn:
    shifted: list[Replacement] = []
    shift = 0
    for edit in edits:
        start = edit.start + shift
        shifted.append(
            Replacement(
                turn=edit.turn, start=start, end=start + len(edit.after), before=edit.after, after=edit.before
            )
        )
        shift += len(edit.after) - len(edit.before)
    return _replaced(turn, shifted)
