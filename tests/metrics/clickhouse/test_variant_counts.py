"""Retries and rejections: the worker's counters and the figures of files count the same."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from metrics.prometheus.counters import Counters
from perturbations.draw import RETRIES, Draw
from perturbations.materials import own_materials
from perturbations.outcome import make_original
from perturbations.records.edit import Insertion, Replacement
from perturbations.records.transcript import Transcript
from perturbations.rows import ROBUSTNESS, ROWS, Row
from perturbations.variant_maker import VariantMaker
from perturbations.variant_stats import VariantStats
from perturbations.writer import Change, NotApplicable
from tests.builders import make_transcript
from tests.real_transcripts import real_transcripts
from tests.variants import make_variants

ROW = "politeness"


class ByNumber:
    """A writer: good, bad for some draws, or always bad, by the number in the transcript's id."""

    version = "test"

    async def write(self, transcript: Transcript, row: Row, draw: Draw) -> Change | NotApplicable:
        bad_draws = int(transcript.transcript_id)
        if bad_draws < 0:
            return NotApplicable("language")
        after = "" if draw.attempt < bad_draws else "Fine."
        return Change(edits=(Replacement(turn=0, start=0, end=5, before="Okay.", after=after),))


def call(bad_draws: int) -> Transcript:
    return make_transcript(str(bad_draws), ("agent", "Okay."), ("customer", "Bye."))


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


def counted(registry: CollectorRegistry, row: str) -> dict[str, float]:
    outcomes = ("accepted", "retried", "rejected", "not_applicable", "original")
    values = {
        each: registry.get_sample_value("evenhand_variants_total", {"row": row, "outcome": each}) for each in outcomes
    }
    return {outcome: value for outcome, value in values.items() if value}


def test_a_retry_counts_beside_what_was_accepted_and_a_rejection_once(registry: CollectorRegistry) -> None:
    counters, stats = Counters(registry), VariantStats()
    for bad_draws in (0, 0, 1, RETRIES, RETRIES + 1, RETRIES + 5, -1):
        transcript = call(bad_draws)
        variants = make_variants(transcript, [ROW], seed=7, maker=VariantMaker(own_materials(), ByNumber()))
        stats.add(transcript, ROW, variants)
        for variant in variants:
            counters.variant(variant)
    # Two attributes are written in each of seven transcripts, the third is the original.
    expected = {"accepted": 8, "retried": 4, "rejected": 4, "not_applicable": 2, "original": 7}
    assert counted(registry, ROW) == expected
    counts = stats.by_row()[ROW]
    assert (counts.accepted, counts.retried, counts.original) == (8, 4, 7)
    assert (counts.rejected, counts.not_applicable) == ({"empty_turn": 4}, {"language": 2})
    assert counts.rejection_rate == pytest.approx(4 / 12)
    assert counts.complete == 4


def test_counters_and_figures_agree_on_real_dialogues(registry: CollectorRegistry) -> None:
    counters, stats = Counters(registry), VariantStats()
    added = 0
    for transcript in real_transcripts()[::8]:
        for row in ROWS:
            variants = make_variants(transcript, [row], seed=7)
            stats.add(transcript, row, variants)
            for variant in variants:
                counters.variant(variant)
                added += any(isinstance(edit, Insertion) for edit in variant.edits)
    assert added
    for row, counts in stats.by_row().items():
        sums = {
            "accepted": counts.accepted,
            "retried": counts.retried,
            "rejected": sum(counts.rejected.values()),
            "not_applicable": sum(counts.not_applicable.values()),
            "original": counts.original,
        }
        assert counted(registry, row) == {outcome: count for outcome, count in sums.items() if count}


def test_the_baseline_starts_at_0(registry: CollectorRegistry) -> None:
    counters = Counters(registry)
    counters.start([ROW], ["m"])
    labels = {"row": ROBUSTNESS, "outcome": "original"}
    assert registry.get_sample_value("evenhand_variants_total", labels) == 0
    counters.variant(make_original(call(0)))
    assert registry.get_sample_value("evenhand_variants_total", labels) == 1
