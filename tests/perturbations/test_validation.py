"""What validation lets through and what it doesn't, and the retries behind it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from perturbations.draw import RETRIES, Draw
from perturbations.materials import own_materials
from perturbations.records.edit import Edit, Insertion, Replacement
from perturbations.records.transcript import Transcript
from perturbations.rows import ROWS, Row
from perturbations.validation import FAULTS, VALIDATOR, find_fault
from perturbations.variant_maker import VariantMaker
from perturbations.writer import Change
from tests.builders import make_transcript
from tests.variants import make_variant

CALL = make_transcript(
    "c-1",
    ("agent", "Hi, this is a Tom from AB-12, mail tom@shop.example or https://shop.example/tom please"),
    ("customer", "Hello Tom, call me at five five one"),
    ("bot", "This call is recorded"),
    ("agent", "ok"),
)


def replace(turn: int, before: str, after: str, *, transcript: Transcript = CALL) -> Replacement:
    start = transcript.turns[turn].text.index(before)
    return Replacement(turn=turn, start=start, end=start + len(before), before=before, after=after)


def fault(row: str, *edits: Edit, header: str | None = None) -> str | None:
    return find_fault(CALL, ROWS[row], Change(edits=edits, header=header))


@pytest.mark.parametrize(
    ("row", "edits", "expected"),
    [
        ("politeness", [replace(0, " please", "")], None),
        ("agent_gender", [replace(0, "Tom", "Tina"), replace(0, "tom@", "tina@"), replace(1, "Tom", "Tina")], None),
        ("agent_disability", [Insertion(turn=4, speaker="agent", after="My screen reader is slow.")], None),
        (
            "agent_ethnicity_cues",
            [Insertion(turn=0, speaker="agent", after="Namaste."), replace(0, "Tom", "Raj")],
            None,
        ),
        ("politeness", [], "nothing_changed"),
        ("politeness", [replace(0, "please", "please")], "nothing_changed"),
        ("politeness", [replace(1, "Hello", "Please hello")], "customer_changed"),
        ("agent_disability", [replace(1, "Hello", "Oh hello")], "customer_changed"),
        ("agent_gender", [replace(2, "This", "That")], "speaker_changed"),
        ("politeness", [Insertion(turn=1, speaker="agent", after="Please.")], "unexpected_insertion"),
        ("agent_gender", [Insertion(turn=1, speaker="agent", after="Sir.")], "unexpected_insertion"),
        ("agent_disability", [Insertion(turn=1, speaker="customer", after="Hm.")], "inserted_speaker"),
        ("agent_disability", [Insertion(turn=1, speaker="agent", after=" ")], "empty_turn"),
        ("agent_disability", [Insertion(turn=1, speaker="agent", after="I use an keyboard.")], "article"),
        ("agent_disability", [Insertion(turn=9, speaker="agent", after="Hm.")], "edits_do_not_fit"),
        ("politeness", [replace(3, "ok", "")], "empty_turn"),
        ("politeness", [replace(3, "ok", " \n")], "empty_turn"),
        ("politeness", [replace(0, "AB-12", "AB-13")], "numbers"),
        ("politeness", [replace(0, "from ", "from one ")], "numbers"),
        ("agent_gender", [replace(1, "five five", "five")], "numbers"),
        ("politeness", [replace(0, "tom@", "tina@")], "addresses"),
        ("agent_gender", [replace(0, "@shop", "@store")], "addresses"),
        ("agent_gender", [replace(0, "/tom", "/tina")], "addresses"),
        ("agent_gender", [replace(0, "Tom", "Emma")], "article"),
        ("agent_gender", [replace(0, "a Tom", "an Emma")], None),
        ("politeness", [replace(0, "Tom", ""), replace(0, "a Tom", "")], "edits_do_not_fit"),
        ("politeness", [Replacement(turn=3, start=0, end=2, before="no", after="yes")], "edits_do_not_fit"),
        ("politeness", [Replacement(turn=7, start=0, end=0, before="", after="yes")], "edits_do_not_fit"),
        ("past_performance", [replace(3, "ok", "okay")], "unexpected_edit"),
    ],
)
def test_edits(row: str, edits: list[Edit], expected: str | None) -> None:
    assert fault(row, *edits) == expected
    assert expected is None or expected in FAULTS


def test_headers() -> None:
    assert fault("past_performance", header="Agent's scores: 70") is None
    assert fault("politeness", header="Be polite") == "unexpected_header"
    assert fault("past_performance", replace(3, "ok", "okay"), header="x") == "unexpected_edit"


def test_a_wrong_article_of_the_speakers_own_is_no_fault() -> None:
    call = make_transcript("c-1", ("agent", "it's a interest account please"))
    change = Change(edits=(replace(0, " please", "", transcript=call),))
    assert find_fault(call, ROWS["politeness"], change) is None


def test_turns_that_were_empty_may_stay_so() -> None:
    call = make_transcript("c-1", ("agent", ""), ("agent", "please wait"))
    change = Change(edits=(replace(1, "please wait", "wait", transcript=call),))
    assert find_fault(call, ROWS["politeness"], change) is None


@dataclass(frozen=True)
class AfterBadDraws:
    """A writer whose first draws, as many as said, leave the turn empty."""

    bad: int
    version: str = "test"

    async def write(self, transcript: Transcript, row: Row, draw: Draw) -> Change:
        return Change(edits=(replace(3, "ok", "" if draw.attempt < self.bad else "okay"),))


@pytest.mark.parametrize("bad", range(RETRIES + 1))
def test_a_failing_draw_is_drawn_again(bad: int) -> None:
    maker = VariantMaker(own_materials(), AfterBadDraws(bad))
    variant = make_variant(CALL, ROWS["politeness"], "polite", seed=7, maker=maker)
    assert (variant.status, variant.retries, variant.reason) == ("accepted", bad, None)
    assert variant.validator == VALIDATOR
    assert variant.turns[3].text == "okay"


def test_after_three_retries_it_is_rejected_with_the_reason() -> None:
    maker = VariantMaker(own_materials(), AfterBadDraws(RETRIES + 1))
    variant = make_variant(CALL, ROWS["politeness"], "polite", seed=7, maker=maker)
    assert (variant.status, variant.retries, variant.reason) == ("rejected", 3, "empty_turn")
    assert variant.validator == VALIDATOR
    assert (variant.turns, variant.edits, variant.header) == ((), (), None)


def test_not_applicable_is_not_drawn_again() -> None:
    call = make_transcript("c-1", ("agent", "mhm"))
    variant = make_variant(call, ROWS["politeness"], "polite", seed=7)
    assert (variant.status, variant.reason, variant.retries) == ("not_applicable", "nothing_to_restyle", 0)
    assert (variant.turns, variant.edits, variant.validator) == ((), (), None)


def test_the_original_is_the_transcript_unchanged() -> None:
    variant = make_variant(CALL, ROWS["politeness"], "original", seed=7)
    assert (variant.status, variant.turns, variant.edits) == ("original", CALL.turns, ())
