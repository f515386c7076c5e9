from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.records.edit import apply_edits
from perturbations.records.transcript import Turn
from perturbations.text.word_edits import word_edits


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Hi, this is Michael.", "Hi, this is Maria.", [(12, "Michael", "Maria")]),
        ("Thank you for calling", "Thank you very much for calling", [(10, "", "very much ")]),
        ("Thank you very much for calling", "Thank you for calling", [(10, "very much ", "")]),
        ("How may I help?", "How can I help?", [(4, "may", "can")]),
        ("I can't, sorry", "I cannot, sorry", [(2, "can't", "cannot")]),
        ("a b c", "a b c", []),
        ("", "Hello", [(0, "", "Hello")]),
        ("Hello", "", [(0, "Hello", "")]),
        ("Wait", "Please wait", [(0, "Wait", "Please wait")]),
        ("one  two", "one two", [(4, " ", "")]),
        ("Tell me.", "Tell me?", [(7, ".", "?")]),
        ("x Michael y Michael", "x Ann y Bob", [(2, "Michael", "Ann"), (12, "Michael", "Bob")]),
        ("Best,\nMichael", "Best,\nAnn", [(6, "Michael", "Ann")]),
    ],
)
def test_edits(before: str, after: str, expected: list[tuple[int, str, str]]) -> None:
    assert [(edit.start, edit.before, edit.after) for edit in word_edits(3, before, after)] == expected


TEXTS = st.lists(
    st.sampled_from(["a", "b", "Michael", " ", "  ", "\n", ".", ",", "it's", "\u00e9", "-"]), max_size=14
)


@given(st.one_of(st.text(max_size=30), TEXTS.map("".join)), st.one_of(st.text(max_size=30), TEXTS.map("".join)))
def test_the_edits_make_the_other_text_and_are_disjoint(before: str, after: str) -> None:
    edits = word_edits(0, before, after)
    turns = (Turn(speaker="agent", text=before),)
    assert apply_edits(turns, edits)[0].text == after
    assert all(left.end < right.start for left, right in pairwise(edits))
    assert all(edit.before != edit.after for edit in edits)
    assert bool(edits) == (before != after)


def test_a_word_of_a_long_turn() -> None:
    before = " ".join(f"word{number} and so" for number in range(1_000))
    assert len(word_edits(0, before, before.replace("word999", "other"))) == 1
