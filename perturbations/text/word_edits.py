"""The smallest edits, word by word, that make one text of another."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from perturbations.records.edit import Replacement

# A word with its hyphens and apostrophes, else one mark: so that an edit never parts a word.
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
    done = new_done = 0
    # What lies between two tokens that stay, and between the last one and the end, is an edit where it differs.
    ends = ((len(before), len(before)), (len(after), len(after)))
    for (start, end), (new_start, new_end) in [*kept, ends]:
        if before[done:start] != after[new_done:new_start]:
            edits.append(_trimmed(turn, done, before[done:start], after[new_done:new_start]))
        done, new_done = end, new_end
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


def _shared_space(before: str, after: str) -> int:
    """How many letters of white space the two begin with alike."""
    length = 0
    while length < min(len(before), len(after)) and before[length] == after[length] and before[length].isspace():
        length += 1
    return length
