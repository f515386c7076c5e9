"""Edits: what a variant changed, exactly, so that the inverse gives the original back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from perturbations.records import OWN
from perturbations.transcript import Speaker, Turn


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

    Raises EditError where an edit doesn't fit the turns or two of them overlap.
    """
    result: list[Turn] = []
    _check_places(turns, edits)
    for index in range(len(turns) + 1):
        result.extend(
            Turn(speaker=edit.speaker, text=edit.after)
            for edit in edits
            if isinstance(edit, Insertion) and edit.turn == index
        )
        if index < len(turns):
            result.append(_replaced(turns[index], _replacements(edits, index)))
    return tuple(result)


def revert_edits(turns: Sequence[Turn], edits: Sequence[Edit]) -> tuple[Turn, ...]:
    """The original turns, from a variant's turns and its edits: the inverse of `apply_edits`.

    Raises EditError where the variant doesn't hold what the edits say they wrote.
    """
    original: list[Turn] = []
    position = 0
    insertions = sorted((e for e in edits if isinstance(e, Insertion)), key=lambda edit: edit.turn)
    inserted = 0
    while position < len(turns):
        if inserted < len(insertions) and insertions[inserted].turn == len(original):
            if turns[position].text != insertions[inserted].after:
                raise EditError(f"turn {position} is not the inserted turn")
            inserted += 1
        else:
            original.append(_restored(turns[position], _replacements(edits, len(original))))
        position += 1
    return tuple(original)


def _check_places(turns: Sequence[Turn], edits: Sequence[Edit]) -> None:
    for edit in edits:
        limit = len(turns) if isinstance(edit, Insertion) else len(turns) - 1
        if edit.turn > limit:
            raise EditError(f"turn {edit.turn} is outside the transcript's {len(turns)} turns")


def _replacements(edits: Sequence[Edit], turn: int) -> list[Replacement]:
    return sorted(
        (edit for edit in edits if isinstance(edit, Replacement) and edit.turn == turn),
        key=lambda edit: (edit.start, edit.end),
    )


def _replaced(turn: Turn, edits: Sequence[Replacement]) -> Turn:
    pieces: list[str] = []
    done = 0
    for edit in edits:
        if edit.start < done or turn.text[edit.start : edit.end] != edit.before:
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
