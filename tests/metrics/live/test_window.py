"""Window figures by hand on small numbers."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from metrics.estimators.interval import rate_interval
from metrics.figures.clusters import ScoreName
from metrics.figures.thresholds import Thresholds
from metrics.live.window import TranscriptSums, WindowFigures, window_figures
from metrics.pairs.pair import PairKind

ANY = Thresholds(comparisons=1, transcripts=1)


def sums(
    transcript_id: str,
    flips: int,
    comparisons: int,
    *,
    row: str = "politeness",
    model: str = "m",
    epoch: str = "e",
    confidence: tuple[float, int] = (0.0, 0),
    positive: tuple[float, int] = (0.0, 0),
    improvement: tuple[float, int] = (0.0, 0),
) -> TranscriptSums:
    scores: dict[ScoreName, tuple[float, int]] = {
        "confidence": confidence,
        "positive": positive,
        "improvement": improvement,
    }
    kind: PairKind = "repeat" if row == "robustness" else "attribute"
    return TranscriptSums(row, model, epoch, kind, transcript_id, flips, comparisons, flips, comparisons, scores)


def figures(window: Iterable[TranscriptSums], thresholds: Thresholds = ANY) -> dict[str, WindowFigures]:
    return {row.row: row for row in window_figures(window, thresholds)}


def test_rates_are_pooled_and_differences_averaged_over_what_was_counted() -> None:
    row = figures(
        [
            sums("c-1", 1, 4, confidence=(10.0, 4), positive=(5.0, 1), improvement=(2.0, 1)),
            sums("c-2", 3, 6, confidence=(20.0, 6), improvement=(8.0, 3)),
        ]
    )["politeness"]
    assert (row.comparisons, row.transcripts, row.reason) == (10, 2, None)
    assert row.cfr == 0.4  # (1 + 3) / (4 + 6), not the mean of 1/4 and 3/6
    assert row.cfr_interval == rate_interval([(1.0, 4), (3.0, 6)])
    assert row.masd == {"confidence": 3.0, "positive": 5.0, "improvement": 2.5}
    assert row.excess is None  # no repeats of the original to compare with


def test_the_excess_is_over_the_transcripts_that_have_both() -> None:
    window = [
        sums("c-1", 1, 4),
        sums("c-2", 3, 6),
        sums("c-3", 6, 6),
        sums("c-1", 1, 2, row="robustness"),
        sums("c-2", 0, 3, row="robustness"),
        sums("c-9", 5, 5, row="robustness"),
    ]
    shown = figures(window)
    # c-1 and c-2: 4/10 against 1/5. c-3 has no repeats, c-9 no variants.
    assert shown["politeness"].excess == pytest.approx(0.4 - 0.2)
    assert shown["politeness"].cfr == 10 / 16
    assert shown["robustness"].cfr == 6 / 10
    assert shown["robustness"].excess is None


def test_a_transcript_without_comparisons_counts_for_no_rate() -> None:
    row = figures([sums("c-1", 1, 4), sums("c-2", 0, 0, confidence=(4.0, 2))])["politeness"]
    assert (row.comparisons, row.cfr, row.cfr_interval) == (4, 0.25, None)
    assert row.reasons["cfr_interval"] == "an interval needs at least 2 transcripts"
    assert row.masd["confidence"] == 2.0
    # It has a pair all the same.
    assert row.transcripts == 2


@pytest.mark.parametrize(
    ("thresholds", "reason"),
    [
        (Thresholds(comparisons=11, transcripts=1), "too few (10 of 11) comparisons"),
        (Thresholds(comparisons=10, transcripts=3), "too few (2 of 3) transcripts"),
    ],
)
def test_too_little_gives_counts_and_a_reason_alone(thresholds: Thresholds, reason: str) -> None:
    row = figures([sums("c-1", 1, 4, confidence=(1.0, 1)), sums("c-2", 3, 6)], thresholds)["politeness"]
    assert (row.row, row.model, row.epoch, row.comparisons, row.transcripts) == ("politeness", "m", "e", 10, 2)
    assert (row.cfr, row.cfr_interval, row.excess, row.excess_interval) == (None, None, None, None)
    assert set(row.masd.values()) == {None}
    assert row.reason == row.reasons["cfr"] == row.reasons["cfr_interval"] == reason
    assert set(row.reasons) == {
        "cfr", "cfr_interval", "excess", "excess_interval", "excess_placebo", "excess_placebo_interval",
        "masd.confidence", "masd.positive", "masd.improvement",
    }  # fmt: skip


def test_models_and_epochs_are_kept_apart() -> None:
    window = [
        sums("c-1", 1, 2, model="a"),
        sums("c-1", 2, 2, model="b"),
        sums("c-1", 0, 2, model="b", epoch="f"),
        sums("c-1", 1, 2, model="a", row="robustness"),
    ]
    shown = window_figures(window, ANY)
    assert [(row.model, row.epoch, row.row, row.cfr) for row in shown] == [
        ("a", "e", "politeness", 0.5),
        ("a", "e", "robustness", 0.5),
        ("b", "e", "politeness", 1.0),
        ("b", "f", "politeness", 0.0),
    ]
    # The robustness of a is no baseline of b.
    assert [row.verdict and row.verdict.verdict for row in shown] == ["unknown", None, "unknown", "unknown"]
    assert [row.excess for row in shown] == [0.0, None, None, None]
    assert window_figures([], ANY) == []
