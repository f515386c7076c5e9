"""Window figures by hand on small numbers, and the sums that they are made of against the pairs themselves."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from evaluators.evaluation import Judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.stored_records import write_pairs
from metrics.clickhouse.window_sums import current_epochs, transcript_sums
from metrics.estimators.interval import rate_interval
from metrics.figures.clusters import ScoreName
from metrics.figures.thresholds import Thresholds
from metrics.live.window import TranscriptSums, WindowFigures, window_figures
from metrics.pairs.pair import Pair
from tests.builders import at, make_pair

ANY = Thresholds(comparisons=1, transcripts=1)
NOON = at("2026-11-30T12:00:00Z")
HOUR = timedelta(hours=1)


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
    return TranscriptSums(row, model, epoch, transcript_id, flips, comparisons, scores)


def figures(held: Iterable[TranscriptSums], thresholds: Thresholds = ANY) -> dict[str, WindowFigures]:
    return {one.row: one for one in window_figures(held, thresholds)}


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
    held = [
        sums("c-1", 1, 4),
        sums("c-2", 3, 6),
        sums("c-3", 6, 6),
        sums("c-1", 1, 2, row="robustness"),
        sums("c-2", 0, 3, row="robustness"),
        sums("c-9", 5, 5, row="robustness"),
    ]
    shown = figures(held)
    # c-1 and c-2: 4/10 against 1/5. c-3 has no repeats, c-9 no variants.
    assert shown["politeness"].excess == pytest.approx(0.4 - 0.2)
    assert shown["politeness"].cfr == 10 / 16
    assert shown["robustness"].cfr == 6 / 10
    assert shown["robustness"].excess is None


def test_a_transcript_without_comparisons_counts_for_no_rate() -> None:
    row = figures([sums("c-1", 1, 4), sums("c-2", 0, 0, confidence=(4.0, 2))])["politeness"]
    assert (row.comparisons, row.transcripts, row.cfr) == (4, 1, 0.25)
    assert row.masd["confidence"] == 2.0


@pytest.mark.parametrize(
    ("thresholds", "reason"),
    [
        (Thresholds(comparisons=11, transcripts=1), "too few (10 of 11) comparisons"),
        (Thresholds(comparisons=10, transcripts=3), "too few (2 of 3) transcripts"),
    ],
)
def test_too_little_gives_counts_and_a_reason_alone(thresholds: Thresholds, reason: str) -> None:
    row = figures([sums("c-1", 1, 4, confidence=(1.0, 1)), sums("c-2", 3, 6)], thresholds)["politeness"]
    assert row == WindowFigures("politeness", "m", "e", 10, 2, reason=reason)
    assert (row.cfr, row.cfr_interval, row.excess, dict(row.masd)) == (None, None, None, {})


def test_models_and_epochs_are_kept_apart() -> None:
    held = [
        sums("c-1", 1, 2, model="a"),
        sums("c-1", 2, 2, model="b"),
        sums("c-1", 0, 2, model="b", epoch="f"),
        sums("c-1", 1, 2, model="a", row="robustness"),
    ]
    shown = window_figures(held, ANY)
    assert [(one.model, one.epoch, one.row, one.cfr) for one in shown] == [
        ("a", "e", "politeness", 0.5),
        ("a", "e", "robustness", 0.5),
        ("b", "e", "politeness", 1.0),
        ("b", "f", "politeness", 0.0),
    ]
    # The robustness of a is no baseline of b.
    assert [one.excess for one in shown] == [0.0, None, None, None]
    assert window_figures([], ANY) == []


ARMS = (
    ("agent_gender", "male", "female"),
    ("past_performance", "improving", "worsening"),
    ("past_performance", "improving", "stable_poor"),
    ("past_performance", "original", "improving"),
    ("politeness", "polite", "polite"),
    ("robustness", "original", "original"),
)


def some_pairs() -> list[Pair]:
    """Pairs of every kind, every three minutes back from noon, by two models in turn."""
    draw = random.Random(5)

    def answers() -> str:
        return "".join(draw.choice("yyna-") for _ in range(6))

    def scores() -> dict[str, Any]:
        return {"positive_score": draw.choice([None, 40.0, 61.5]), "improvement_score": draw.uniform(0, 100)}

    return [
        make_pair(
            answers(),
            answers(),
            transcript_id=f"c-{n}",
            row=row,
            arm_a=arm_a,
            arm_b=arm_b,
            a=scores(),
            b=scores(),
            occurred_at=NOON - timedelta(minutes=3 * n),
            evaluated_at=NOON,
            judge=Judge(provider="openai", model="ab"[n % 2]),
            epoch="e",
        )
        for n in range(40)
        for row, arm_a, arm_b in ARMS
    ]


async def test_the_stores_sums_are_the_sums_over_the_pairs(store: str) -> None:
    pairs = some_pairs()
    since, until = NOON - HOUR, NOON
    expected: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0.0] * 8)
    for pair in pairs:
        assert pair.occurred_at is not None
        if pair.kind not in ("attribute", "repeat") or not since <= pair.occurred_at < until:
            continue
        held = expected[pair.row, pair.judge.model, pair.transcript_id]
        for n, value in enumerate(
            (
                pair.flips,
                pair.comparisons,
                pair.confidence_absolute_difference_sum,
                pair.confidence_count,
                abs(pair.positive_difference or 0),
                pair.positive_difference is not None,
                abs(pair.improvement_difference or 0),
                pair.improvement_difference is not None,
            )
        ):
            held[n] += value
    async with await connect(store) as client:
        # Written twice, in two orders: each pair is one row.
        await write_pairs(client, pairs)
        await write_pairs(client, pairs[::-1])
        found = await transcript_sums(client, since, until)
    assert {one.epoch for one in found} == {"e"}
    # The first is at `until` itself, the window's end, and belongs to the next window.
    assert {one.transcript_id for one in found} == {f"c-{n}" for n in range(1, 21)}
    assert {one.row for one in found} == {"agent_gender", "past_performance", "robustness"}
    assert {(one.row, one.model, one.transcript_id): flat(one) for one in found} == {
        key: pytest.approx(values) for key, values in expected.items()
    }


def flat(one: TranscriptSums) -> list[float]:
    scores = [value for score in ("confidence", "positive", "improvement") for value in one.scores[score]]
    return [float(one.flips), float(one.comparisons), *map(float, scores)]


async def test_only_the_current_epoch_of_each_model_counts(store: str) -> None:
    def pair(n: int, model: str, epoch: str, minutes: int, served: str | None = None) -> Pair:
        return make_pair(
            transcript_id=f"c-{n}",
            judge=Judge(provider="openai", model=model, served_model=served),
            system_id=f"s-{model}",
            epoch=epoch,
            occurred_at=NOON,
            evaluated_at=NOON + timedelta(minutes=minutes),
        )

    async with await connect(store) as client:
        assert await current_epochs(client) == []
        await write_pairs(client, [pair(1, "a", "old", 1), pair(2, "b", "only", 2, "b-0401")])
        assert {(one.model, one.epoch) for one in await transcript_sums(client, NOON, NOON + HOUR)} == {
            ("a", "old"),
            ("b", "only"),
        }
        await write_pairs(client, [pair(3, "a", "new", 3)])
        found = await transcript_sums(client, NOON, NOON + HOUR)
        assert [(one.model, one.epoch, one.transcript_id) for one in found] == [
            ("a", "new", "c-3"),
            ("b", "only", "c-2"),
        ]
        assert await current_epochs(client) == [("a", "new", "s-a", ""), ("b", "only", "s-b", "b-0401")]
        # A pair that no longer counts takes its sums with it.
        await write_pairs(client, [pair(2, "b", "only", 2, "b-0401")], deleted=True)
        assert {one.model for one in await transcript_sums(client, NOON, NOON + HOUR)} == {"a"}
