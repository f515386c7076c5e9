from __future__ import annotations

import pytest

from perturbations.records.edit import Insertion, Replacement
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Status, Variant
from perturbations.variant_stats import VariantStats
from tests.builders import make_transcript

CALL = make_transcript("c-1", ("agent", "Hi"), ("customer", "Hi"), ("agent", "Yes"), ("agent", "Bye"))
ADDED = Insertion(turn=1, speaker="agent", after="I use a screen reader.")


def replaced(*turns: int) -> tuple[Replacement, ...]:
    return tuple(Replacement(turn=turn, start=0, end=1, before=CALL.turns[turn].text[0], after="x") for turn in turns)


def variant(
    attribute: str,
    status: Status = "accepted",
    *,
    row: str = "politeness",
    reason: str | None = None,
    retries: int = 0,
    draw: int = 0,
    edits: tuple[Replacement | Insertion, ...] = (),
) -> Variant:
    return Variant(
        transcript_id="c-1",
        row=row,
        attribute=attribute,
        draw=draw,
        status=status,
        reason=reason,
        retries=retries,
        edits=edits,
    )


def counted(*transcripts: tuple[Variant, ...], row: str = "politeness", call: Transcript = CALL) -> VariantStats:
    counts = VariantStats()
    for variants in transcripts:
        counts.add(call, row, variants)
    return counts


def test_of_no_variants_there_are_no_rows() -> None:
    assert VariantStats().by_row() == {}


def test_counts_by_what_became_of_the_variants() -> None:
    stats = counted(
        (variant("neutral", edits=replaced(0)), variant("original", "original"), variant("polite", retries=2)),
        (
            variant("neutral", "not_applicable", reason="nothing_to_neutralise"),
            variant("original", "original"),
            variant("polite", "rejected", reason="numbers", retries=3),
        ),
        (variant("neutral", "not_applicable", reason="entangled"), variant("polite", retries=1)),
    ).by_row()["politeness"]
    assert (stats.transcripts, stats.complete) == (3, 1)
    assert (stats.accepted, stats.retried, stats.original) == (3, 2, 2)
    assert stats.rejected == {"numbers": 1}
    assert stats.not_applicable == {"entangled": 1, "nothing_to_neutralise": 1}
    assert stats.rejection_rate == pytest.approx(1 / 4)
    assert list(stats.by_attribute) == ["neutral", "original", "polite"]
    assert stats.by_attribute["polite"].rejected == {"numbers": 1}
    assert stats.by_attribute["neutral"].rejection_rate == 0
    assert stats.placebo is None


def test_a_row_without_attempts_has_no_rates() -> None:
    stats = counted((variant("neutral", "not_applicable", reason="language"),)).by_row()["politeness"]
    assert stats.rejection_rate is None
    assert stats.agent_turns_changed_share is None
    assert (stats.complete, stats.agent_turns) == (0, 0)


def test_the_share_of_turns_counts_replaced_agent_turns_of_accepted_variants() -> None:
    customers_and_agents = replaced(0, 1, 1, 2)
    stats = counted(
        (variant("male", row="agent_gender", edits=customers_and_agents), variant("female", row="agent_gender")),
        row="agent_gender",
    ).by_row()["agent_gender"]
    assert (stats.agent_turns, stats.agent_turns_changed) == (6, 2)
    assert stats.agent_turns_changed_share == pytest.approx(2 / 6)


def test_an_added_turn_changes_none() -> None:
    stats = counted((variant("disabled", row="agent_disability", edits=(ADDED,)),), row="agent_disability").by_row()
    assert stats["agent_disability"].agent_turns_changed_share == 0


def test_placebos_are_counted_apart_and_make_nothing_incomplete() -> None:
    stats = counted(
        (
            variant("neutral"),
            variant("neutral", "not_applicable", reason="no_second_draw", draw=1),
            variant("polite"),
            variant("polite", draw=1),
        )
    ).by_row()["politeness"]
    assert (stats.accepted, stats.complete, stats.not_applicable) == (2, 1, {})
    assert stats.placebo is not None
    assert (stats.placebo.accepted, stats.placebo.not_applicable) == (1, {"no_second_draw": 1})


def test_rows_stand_in_the_order_of_their_table() -> None:
    counts = VariantStats()
    for row, attribute in (("politeness", "polite"), ("agent_gender", "male")):
        counts.add(CALL, row, [variant(attribute, row=row)])
    assert list(counts.by_row()) == ["agent_gender", "politeness"]
