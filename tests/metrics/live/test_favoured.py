"""Who is favoured over a window, by hand, and as the whole measurement has it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from metrics.clickhouse.client import connect
from metrics.clickhouse.stored_records import write_pairs
from metrics.clickhouse.window_sums import attribute_sums
from metrics.figures.figures import adjusted, rows_figures
from metrics.figures.thresholds import Thresholds
from metrics.live.favoured import AttributeSums, favoured
from metrics.pairs.pair import Pair
from tests.builders import at, make_pair

NEEDED = Thresholds(4, 2)
NOON = at("2026-11-30T12:00:00Z")
EVER = (datetime(1970, 1, 1, tzinfo=UTC), datetime(2199, 1, 1, tzinfo=UTC))


def sums(attribute: str, gained: int, lost: int, *, transcript: str, row: str = "agent_gender") -> AttributeSums:
    return AttributeSums(row, "m", "e", "attribute", attribute, transcript, gained, lost, 10)


def test_the_largest_advantage_is_told_with_its_interval() -> None:
    window = [
        sums(attribute, gained, lost, transcript=f"c-{n}")
        for n in range(20)
        for attribute, gained, lost in (("male", 3, 1), ("female", 1, 3))
    ]
    (of_row,) = favoured(window, NEEDED)
    assert (of_row.row, of_row.model, of_row.epoch) == ("agent_gender", "m", "e")
    assert of_row.advantages == {"male": pytest.approx(0.2), "female": pytest.approx(-0.2)}
    direction = of_row.direction
    assert (direction.most, direction.least, direction.beyond_chance) == ("male", "female", True)
    assert direction.most_advantage == pytest.approx(0.2)
    assert direction.most_interval is not None
    assert 0 < direction.most_interval[0] < 0.2 < direction.most_interval[1]


def test_too_little_gives_nothing() -> None:
    assert favoured([sums("male", 3, 1, transcript="c-1")], NEEDED) == []
    assert favoured([], NEEDED) == []
    empty = [AttributeSums("agent_gender", "m", "e", "attribute", "male", f"c-{n}", 0, 0, 0) for n in range(9)]
    assert favoured(empty, NEEDED) == []


def pairs() -> list[Pair]:
    three = [("environment", "technical"), ("environment", "operational"), ("technical", "operational")]
    letters = {"environment": "yyyn", "technical": "ynyn", "operational": "nnyy"}
    fields: dict[str, Any] = {"occurred_at": NOON, "evaluated_at": NOON, "epoch": "e"}
    made = [
        make_pair(
            letters[a], letters[b], transcript_id=f"c-{n}", row="contextual_metadata", arm_a=a, arm_b=b, **fields
        )
        for n in range(12)
        for a, b in three
    ]
    return made + [make_pair("yy", "yn", transcript_id=f"c-{n}", row="robustness", **fields) for n in range(12)]


async def test_sums_from_the_store_give_what_the_pairs_give(store: str) -> None:
    async with await connect(store) as client:
        await write_pairs(client, pairs())
        await write_pairs(client, pairs())
        directions = favoured(await attribute_sums(client, *EVER), NEEDED)
        assert await attribute_sums(client, EVER[0], NOON) == []
    row = adjusted(rows_figures(pairs(), needed=NEEDED), NEEDED)["contextual_metadata"]
    assert row.direction.most is not None
    assert row.direction.least not in (None, row.direction.most)
    (of_row,) = directions
    assert of_row.direction == row.direction
