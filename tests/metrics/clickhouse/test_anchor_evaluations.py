"""Anchors' rounds are kept and counted, and in no figure."""

from __future__ import annotations

from typing import Any

from evaluators.evaluation import Evaluation
from metrics.clickhouse.client import connect
from metrics.clickhouse.progress import read_progress
from metrics.clickhouse.stored_records import anchor_evaluations, write_evaluations
from metrics.figures.grouping import measure_by
from metrics.figures.measure import measure
from metrics.figures.thresholds import Thresholds
from metrics.pairs.pairing import pair_evaluations
from perturbations.planning.anchors import FIRST_ROUND
from tests.builders import make_evaluation

NEEDED = Thresholds(1, 1)


def sampled() -> list[Evaluation]:
    return [
        make_evaluation(f"c-{n}", row, attribute, repeat=repeat, domain="banking")
        for n in range(3)
        for row, attribute, repeat in (
            ("robustness", "original", 0),
            ("robustness", "original", 1),
            ("agent_gender", "male", 0),
            ("agent_gender", "female", 0),
        )
    ]


def anchors(**fields: Any) -> list[Evaluation]:
    return [
        make_evaluation(f"anchor:{a}", answers="nn", repeat=FIRST_ROUND + 17 * n, **fields).with_ids()
        for a in range(2)
        for n in range(4)
    ]


def test_they_are_counted_and_change_no_figure() -> None:
    with_anchors = measure([*sampled(), *anchors()], thresholds=NEEDED)
    without = measure(sampled(), thresholds=NEEDED)
    assert with_anchors.input.anchors == 8
    assert with_anchors.input.unknown_arms == {}
    assert with_anchors.model_copy(update={"input": without.input}) == without
    assert with_anchors.input.model_copy(update={"anchors": 0}) == without.input
    assert pair_evaluations(anchors()) == []
    # Nor do they make a system or a group of their own.
    other = measure([*sampled(), *anchors(system_id="other", domain="retail")], thresholds=NEEDED)
    assert other.systems == without.systems
    assert list(measure_by([*sampled(), *anchors(domain="retail")], "domain", thresholds=NEEDED)) == ["banking"]


async def test_the_store_gives_them_alone_and_the_progress_is_without_them(store: str) -> None:
    async with await connect(store) as client:
        await write_evaluations(client, [*sampled(), *anchors(), *anchors()])
        stored_anchors = await anchor_evaluations(client)
        progress = await read_progress(client)
    assert sorted(e.evaluation_id or "" for e in stored_anchors) == sorted(e.evaluation_id or "" for e in anchors())
    assert progress.evaluations == len(sampled())
