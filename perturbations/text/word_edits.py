"""The smallest edits, word by word, that make one text of another."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from perturbations.records.edit import Replacement

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|\S")


def word_edits(turn: int, before: str, after: str) -> list[Replacement]:
    """The edits of this turn that turn `before` into `after`, in order and disjoint; none where they are equal.

    Words and marks that stay are in no edit; white space is part of an edit only where it changes.
    """
    old, new = list(_TOKEN.finditer(before)), list(_TOKEN.finditer(after))
    matcher = SequenceMatcher(None, [token[0] for token in old], [token[0] for token in new], autojunk=False)
    kept = [
        (old[first + step].span(), new[second + step].span())
        for first, second, length in matcher.get_matching_blocks()
        for step in range(length)
    ]
    edits: list[Replacement] = []
    done = there = 0
    ends = ((len(before), len(before)), (len(after), len(after)))
    for (start, end), (new_start, new_end) in [*kept, ends]:
        if before[done:start] != after[there:new_start]:
            edits.append(_trimmed(turn, done, before[done:start], after[there:new_start]))
        done, there = end, new_end
    return edits


def _trimmed(turn: int, start: int, before: str, after: str) -> Replacement:
    """The edit without the white space at its ends that stays."""
    front = _shared_space(before, after)
    back = _shared_space(before[front:][::-1], after[front:][::-1])
    inner = before[front : len(before) - back]
    return Replacement(
        turn=turn,
        start=start + front,
        end=start + front + len(inner),
        before=inner,
        after=after[front : len(after) - back],
    )


def _shared_space(one: str, other: str) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length] and one[length].isspace():
        length += 1
    return length
