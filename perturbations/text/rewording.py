"""Words of one turn replaced or deleted so that case, spaces and commas stay right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from perturbations.text.casing import TurnCase, capitalised, fit, starts_sentence, turn_case

Rewording = tuple[int, int, str]
"""(start, end, the words that stand there instead, in lower case; empty: nothing)"""


@dataclass(frozen=True)
class Piece:
    """`before`, the text at `[start, end)`, becomes `after`."""

    start: int
    end: int
    before: str
    after: str


def reworded(text: str, rewordings: Sequence[Rewording], *, alone: str) -> list[Piece]:
    """The pieces of the turn that change, in order; `alone` stands in a turn that would be left without a word.

    `rewordings` are in order and don't overlap.
    """
    case = turn_case(text)
    pieces: list[Piece] = []
    done = 0
    emptied = -1  # where a sentence stands now of which all words so far are deleted
    capital = False  # whether the next word that stays must take over the capital of the deleted ones
    for number, (start, end, words) in enumerate(rewordings):
        following = rewordings[number + 1][0] if number + 1 < len(rewordings) else len(text)
        begins = start == emptied or starts_sentence(text, start)
        if words:
            written = fit(words, case, replacing=text[start:end], sentence_start=begins)
            written = capitalised(written) if capital else written
            capital = False
        else:
            capital = capital or (begins and case.mixed and text[start].isupper())
            start, end, written = _deleted(text, max(start, done), end, done, begins=begins)
            emptied = end if begins else -1
            if capital and end < following:
                # The sentence begins with the next word now.
                written, end = text[end].upper(), end + 1
                capital = False
        pieces.append(Piece(start, end, text[start:end], written))
        done = end
    if _is_left_bare(text, pieces):
        return _only(text, rewordings, alone, case)
    return [_trimmed(piece) for piece in pieces if piece.before != piece.after]


def _deleted(text: str, start: int, end: int, done: int, *, begins: bool) -> tuple[int, int, str]:
    """The stretch to take out with the words at `[start, end)`: one space and the comma that belonged to them."""
    left = start
    while left > done and text[left - 1] in " \t":
        left -= 1
    right = end + 1 if text[end : end + 1] == "," else end
    after_comma = right
    while right < len(text) and text[right] in " \t":
        right += 1
    comma_before = left > done and text[left - 1] == ","
    if begins:
        # Nothing of the sentence stands before the words, so its own marks right behind them go as well.
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


def _trimmed(piece: Piece) -> Piece:
    """The piece without the words at its ends that stay."""
    before, after = piece.before, piece.after
    front = _shared(before, after)
    back = _shared(before[front:][::-1], after[front:][::-1])
    return Piece(
        piece.start + front,
        piece.end - back,
        before[front : len(before) - back],
        after[front : len(after) - back],
    )


def _shared(before: str, after: str) -> int:
    """How many letters of whole words the two begin with alike."""
    length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    while length > 0 and (_is_inside_word(before, length) or _is_inside_word(after, length)):
        length -= 1
    return length


def _is_inside_word(text: str, position: int) -> bool:
    return position < len(text) and _is_of_word(text[position - 1]) and _is_of_word(text[position])


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter in "'\u2019"


def _only(text: str, rewordings: Sequence[Rewording], alone: str, case: TurnCase) -> list[Piece]:
    start, end = rewordings[0][0], rewordings[-1][1]
    before = text[start:end]
    return [Piece(start, end, before, fit(alone, case, replacing=before, sentence_start=True))]
