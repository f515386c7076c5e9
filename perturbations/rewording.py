"""Words of one turn replaced or deleted so that case, spaces and commas stay right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from perturbations.casing import TurnCase, capitalised, fit, starts_sentence, turn_case

Wording = tuple[int, int, str]
"""(start, end, the words that stand there instead, in lower case; empty: nothing)"""


@dataclass(frozen=True)
class Piece:
    """`before`, the text at `[start, end)`, becomes `after`."""

    start: int
    end: int
    before: str
    after: str


def reworded(text: str, wordings: Sequence[Wording], *, alone: str) -> list[Piece]:
    """The pieces of the turn that change, in order; `alone` stands in a turn that would be left without a word.

    `wordings` are in order and don't overlap.
    """
    case = turn_case(text)
    pieces: list[Piece] = []
    done = 0
    capital = False
    for number, (start, end, words) in enumerate(wordings):
        following = wordings[number + 1][0] if number + 1 < len(wordings) else len(text)
        begins = starts_sentence(text, start)
        if words:
            written = fit(words, case, replacing=text[start:end], sentence_start=begins)
            written = capitalised(written) if capital else written
            capital = False
        else:
            capital = capital or (begins and case.mixed and text[start].isupper())
            start, end, written = _deleted(text, max(start, done), end, done)
            if capital and end < following:
                # The sentence begins with the next word now.
                written, end = text[end].upper(), end + 1
                capital = False
        pieces.append(Piece(start, end, text[start:end], written))
        done = end
    if _is_left_bare(text, pieces):
        return _only(text, wordings, alone, case)
    return [piece for piece in pieces if piece.before != piece.after]


def _deleted(text: str, start: int, end: int, done: int) -> tuple[int, int, str]:
    """The stretch to take out with the words at `[start, end)`: one space and the comma that belonged to them."""
    left = start
    while left > done and text[left - 1] in " \t":
        left -= 1
    right = end + 1 if text[end : end + 1] == "," else end
    after_comma = right
    while right < len(text) and text[right] in " \t":
        right += 1
    comma_before = left > done and text[left - 1] == ","
    if starts_sentence(text, start):
        marks = re.compile(r"[.!?;]*[ \t]*").match(text, right)
        right = marks.end() if marks else right
        return (left if right == len(text) else start), right, ""
    if right == len(text) or text[right] in ".?!;:)\n" or after_comma > end:
        # Before an end or a comma the space and comma on the left go.
        return (left - 1 if comma_before else left), end, ""
    return start, right, ""


def _is_left_bare(text: str, pieces: Sequence[Piece]) -> bool:
    kept: list[str] = []
    done = 0
    for piece in pieces:
        kept += [text[done : piece.start], piece.after]
        done = piece.end
    kept.append(text[done:])
    return not any(character.isalnum() for part in kept for character in part)


def _only(text: str, wordings: Sequence[Wording], alone: str, case: TurnCase) -> list[Piece]:
    start, end = wordings[0][0], wordings[-1][1]
    before = text[start:end]
    return [Piece(start, end, before, fit(alone, case, replacing=before, sentence_start=True))]
