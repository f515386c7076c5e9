"""The sums that a window's figures are made of, from the store and over the pairs themselves."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from evaluators.evaluation import Judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.stored_records import write_pairs
from metrics.clickhouse.window_sums import attribute_sums, current_epochs, transcript_sums
from metrics.pairs.pair import Pair
from tests.builders import at, make_pair
from tests.metrics.live.reduction import attribute_sums_of, transcript_sums_of

NOON = at("2026-11-30T12:00:00Z")
HOUR = timedelta(hours=1)


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
        return {"positive_score": draw.choice([None, 40.0, 61.5]), "improvement_score": draw.randrange(401) / 4}

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
    within = [pair for pair in pairs if pair.occurred_at is not None and since <= pair.occurred_at < until]
    async with await connect(store) as client:
        # Written twice, in two orders: each pair is one row.
        await write_pairs(client, pairs)
        await write_pairs(client, pairs[::-1])
        of_transcripts = await transcript_sums(client, since, until)
        of_attributes = await attribute_sums(client, since, until)
    assert {sums.epoch for sums in of_transcripts} == {"e"}
    # The first is at `until` itself, the window's end, and belongs to the next window.
    assert {sums.transcript_id for sums in of_transcripts} == {f"c-{n}" for n in range(1, 21)}
    assert {(sums.row, sums.kind) for sums in of_transcripts} == {
        ("agent_gender", "attribute"),
        ("past_performance", "attribute"),
        ("politeness", "placebo"),
        ("robustness", "repeat"),
    }
    assert {(sums.row, sums.kind) for sums in of_attributes} == {
        ("agent_gender", "attribute"),
        ("past_performance", "attribute"),
        ("politeness", "placebo"),
    }
    assert of_transcripts == transcript_sums_of(within)
    assert of_attributes == attribute_sums_of(within)


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
        assert {(sums.model, sums.epoch) for sums in await transcript_sums(client, NOON, NOON + HOUR)} == {
            ("a", "old"),
            ("b", "only"),
        }
        await write_pairs(client, [pair(3, "a", "new", 3)])
        current = await transcript_sums(client, NOON, NOON + HOUR)
        assert [(sums.model, sums.epoch, sums.transcript_id) for sums in current] == [
            ("a", "new", "c-3"),
            ("b", "only", "c-2"),
        ]
        assert await current_epochs(client) == [("a", "new", "s-a", ""), ("b", "only", "s-b", "b-0401")]
        # A pair that no longer counts takes its sums with it.
        await write_pairs(client, [pair(2, "b", "only", 2, "b-0401")], deleted=True)
        assert {sums.model for sums in await transcript_sums(client, NOON, NOON + HOUR)} == {"a"}
