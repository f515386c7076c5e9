"""The store as stages use it: small writes batched, bad rows found, outages waited out."""

from __future__ import annotations

import asyncio

import pytest

from metrics.clickhouse.client import connect
from metrics.clickhouse.errors import StoreUnavailable
from perturbations.arms import arm_messages
from perturbations.outcome import make_original
from streams.runtime.outage import wait_out
from streams.runtime.patient_store import PatientStore
from streams.runtime.stage import Outage
from tests.builders import make_evaluation, make_transcript


async def test_5000_small_writes_are_few_parts(store: str) -> None:
    """ClickHouse refuses inserts once too many parts pile up; each insert makes one."""
    async with await connect(store) as client:
        patient = PatientStore(client, outage_seconds=300.0, batch_seconds=0.2)
        transcripts = [make_transcript(f"c-{n}") for n in range(5_000)]
        arms = [arm_messages(transcript, [(make_original(transcript), 0)]) for transcript in transcripts]
        await asyncio.gather(*(patient.add(messages) for messages in arms))
        assert await client.rows("SELECT toInt64(count()) FROM variants FINAL") == [(5_000,)]
        [(inserts,)] = await client.rows(
            "SELECT toInt64(max(max_block_number)) FROM system.parts "
            "WHERE database = currentDatabase() AND table = 'variants'"
        )
    assert inserts <= 120


async def test_evaluations_that_cannot_be_stored_are_told_by_index(store: str) -> None:
    unstorable = make_evaluation("c-2").model_copy(update={"transcript_id": "half a pair \ud83d"})
    async with await connect(store) as client:
        patient = PatientStore(client, outage_seconds=300.0, batch_seconds=0.2)
        refused = await patient.write_evaluations([make_evaluation("c-1"), unstorable, make_evaluation("c-3")])
        assert set(refused) == {1}
        evaluations_read = await patient.evaluations_of(["c-1", "c-2", "c-3"])
    assert sorted(e.transcript_id for e in evaluations_read) == ["c-1", "c-3"]


async def test_an_outage_is_waited_out_and_then_told_as_one() -> None:
    now = 0.0
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        nonlocal now
        waits.append(seconds)
        now += seconds

    async def away_until(moment: float) -> str:
        if now < moment:
            raise StoreUnavailable("ClickHouse at db:8123 can't be reached")
        return "stored"

    def clock() -> float:
        return now

    result = await wait_out(lambda: away_until(20), away=StoreUnavailable, seconds=60, sleep=sleep, clock=clock)
    assert result == "stored"
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0]
    with pytest.raises(Outage, match=r"still away after 60 s: ClickHouse at db:8123"):
        await wait_out(lambda: away_until(1e9), away=StoreUnavailable, seconds=60, sleep=sleep, clock=clock)
