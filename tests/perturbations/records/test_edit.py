"""Edits applied and taken back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from perturbations.records.edit import Edit, EditError, Insertion, Replacement, apply_edits, revert_edits
from perturbations.records.transcript import Turn

TURNS = (Turn(speaker="agent", text="Hi, this is Michael"), Turn(speaker="customer", text="yes michael"))


def put(turn: int, start: int, before: str, after: str) -> Replacement:
    return Replacement(turn=turn, start=start, end=start + len(before), before=before, after=after)


def insert(turn: int, after: str) -> Insertion:
    return Insertion(turn=turn, speaker="agent", after=after)


def texts(turns: tuple[Turn, ...]) -> list[str]:
    return [turn.text for turn in turns]


@pytest.mark.parametrize(
    ("edits", "result"),
    [
        ([], ["Hi, this is Michael", "yes michael"]),
        ([put(0, 12, "Michael", "Maria")], ["Hi, this is Maria", "yes michael"]),
        ([put(1, 4, "michael", "m\u00e1ria"), put(0, 0, "Hi", "")], [", this is Michael", "yes m\u00e1ria"]),
        ([put(0, 12, "Michael", ""), put(0, 4, "this is", "it's")], ["Hi, it's ", "yes michael"]),
        ([put(0, 2, "", " there")], ["Hi there, this is Michael", "yes michael"]),
        ([put(0, 19, "", "!"), put(0, 12, "Michael", "Maria")], ["Hi, this is Maria!", "yes michael"]),
        ([put(0, 2, "", "a"), put(0, 2, "", "b")], ["Hiab, this is Michael", "yes michael"]),
        ([insert(0, "A")], ["A", "Hi, this is Michael", "yes michael"]),
        ([insert(1, "A"), insert(1, "B")], ["Hi, this is Michael", "A", "B", "yes michael"]),
        ([insert(2, "A"), insert(2, "B")], ["Hi, this is Michael", "yes michael", "A", "B"]),
        ([insert(2, "B"), insert(0, "A"), put(0, 0, "Hi", "Ho")], ["A", "Ho, this is Michael", "yes michael", "B"]),
        ([insert(1, "yes michael")], ["Hi, this is Michael", "yes michael", "yes michael"]),
    ],
)
def test_apply_and_revert(edits: list[Edit], result: list[str]) -> None:
    changed = apply_edits(TURNS, edits)
    assert texts(changed) == result
    assert revert_edits(changed, edits) == TURNS


@pytest.mark.parametrize(
    "edits",
    [
        [put(0, 12, "Michael", "Maria"), put(0, 18, "l", "x")],
        [put(0, 12, "Michael", "Maria"), put(0, 12, "Michael", "Maria")],
        [put(0, 0, "Ho", "Hi")],
        [put(0, 0, "hi", "ho")],
        [put(0, 30, "", "x")],
        [put(2, 0, "", "x")],
        [insert(3, "x")],
        [Replacement(turn=0, start=12, end=99, before="Michael", after="x")],
        [Replacement(turn=0, start=5, end=3, before="", after="x")],
        [Replacement(turn=0, start=12, end=15, before="Michael", after="x")],
        [Replacement(turn=0, start=12, end=19, before="Mic", after="x")],
    ],
)
def test_edits_that_do_not_fit(edits: list[Edit]) -> None:
    with pytest.raises(EditError) as error:
        apply_edits(TURNS, edits)
    assert "Michael" not in str(error.value)
    assert "michael" not in str(error.value)


@pytest.mark.parametrize(
    ("turns", "edits"),
    [
        (["Hi, this is Marie"], [put(0, 12, "Michael", "Maria")]),
        (["Hi, this is Michael"], [put(0, 12, "Michael", "Maria")]),
        (["B", "Hi"], [insert(0, "A")]),
        (["Hi"], [insert(1, "A")]),
        ([], [insert(0, "A")]),
        (["Hi"], [put(1, 0, "", "A")]),
        (["Hi", "A"], [insert(1, "A"), insert(1, "B")]),
        (["Hi", "A"], [insert(3, "A")]),
    ],
)
def test_a_variant_that_does_not_hold_its_edits(turns: list[str], edits: list[Edit]) -> None:
    with pytest.raises(EditError):
        revert_edits([Turn(speaker="agent", text=text) for text in turns], edits)


def test_an_inserted_turn_of_another_speaker_is_not_the_one() -> None:
    with pytest.raises(EditError):
        revert_edits([Turn(speaker="customer", text="A")], [insert(0, "A")])


def test_the_two_kinds_of_edit_are_told_apart_in_json() -> None:
    adapter: TypeAdapter[Edit] = TypeAdapter(Edit)
    for edit in (put(0, 12, "Michael", "Maria"), insert(1, "A")):
        assert adapter.validate_json(adapter.dump_json(edit)) == edit
    assert insert(1, "A").model_dump() == {"turn": 1, "insert": True, "speaker": "agent", "after": "A"}


@pytest.mark.parametrize("field", ["turn", "start", "end"])
def test_places_are_not_negative(field: str) -> None:
    with pytest.raises(ValidationError):
        Replacement.model_validate({"turn": 0, "start": 0, "end": 0, "before": "", "after": "", field: -1})


@st.composite
def edited(draw: st.DrawFn) -> tuple[tuple[Turn, ...], list[Edit]]:
    """Turns with edits that fit, in any order."""
    turns = tuple(
        Turn(speaker=draw(st.sampled_from(["agent", "customer"])), text=text)
        for text in draw(st.lists(st.text(max_size=12), max_size=5))
    )
    edits: list[Edit] = [
        Insertion(turn=draw(st.integers(0, len(turns))), speaker="agent", after=text)
        for text in draw(st.lists(st.text(max_size=5), max_size=3))
    ]
    for index, turn in enumerate(turns):
        cuts = sorted(draw(st.lists(st.integers(0, len(turn.text)), max_size=6)))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False):
            edits.append(put(index, start, turn.text[start:end], draw(st.text(max_size=5))))
    return turns, draw(st.permutations(edits))


@given(edited())
def test_revert_undoes_apply(case: tuple[tuple[Turn, ...], list[Edit]]) -> None:
    turns, edits = case
    changed = apply_edits(turns, edits)
    assert revert_edits(changed, edits) == turns
    assert len(changed) == len(turns) + sum(isinstance(edit, Insertion) for edit in edits)


def test_many_edits_are_taken_back() -> None:
    turns = tuple(Turn(speaker="agent", text="please hold") for _ in range(2_000))
    edits: list[Edit] = [put(index, 0, "please", "kindly") for index in range(len(turns))]
    assert revert_edits(apply_edits(turns, edits), edits) == turns
