"""Losing ClickHouse, the judge or the broker for a while ends in the same evaluations as an undisturbed run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from evaluators.simulated.profile import default_profile
from metrics.clickhouse.migrate import migrate
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import pair_evaluations
from streams.embedded.children import Children, free_port
from streams.embedded.store_process import start_store
from tests.conftest import Broker, unavailable
from tests.kafka.apache_kafka import ApacheKafka, KafkaMissing
from tests.real_transcripts import real_transcripts
from tests.streams.harness import Stream, renamed, running_judge, running_stream
from tests.streams.undisturbed import QUICK

ROWS = ("politeness",)
TRANSCRIPTS = 40
PAUSED = "evenhand_judge_paused"


async def test_a_store_that_is_away_for_a_while(broker: Broker, topic_prefix: str, tmp_path: Path) -> None:
    async with Children(tmp_path / "store-logs") as stores, running_judge(default_profile()) as judge:
        port = free_port()
        store, dsn = await start_store(stores, tmp_path / "store", port=port)
        await migrate(dsn)
        async with running_stream(broker, topic_prefix, dsn, tmp_path, judge_url=judge.url, rows=ROWS) as stream:
            worker = await stream.start_worker()
            await stream.send_transcripts(renamed(real_transcripts(), TRANSCRIPTS))
            await stream.wait(lambda p: p.evaluations > 10)
            store.process.kill()
            await stores.stop(store)
            await asyncio.sleep(4)
            await start_store(stores, tmp_path / "store", port=port)
            await stream.through(TRANSCRIPTS)
            assert worker.process.poll() is None
            await _assert_complete(stream)
            assert len(judge.asked) == len(set(judge.asked))  # the judge wasn't asked again


@pytest.mark.kafka
async def test_a_broker_that_is_killed_and_comes_back(topic_prefix: str, store: str, tmp_path: Path) -> None:
    try:
        kafka = ApacheKafka(tmp_path / "kafka")
    except KafkaMissing as missing:
        unavailable("kafka", str(missing))
        raise
    try:
        await asyncio.to_thread(kafka.start)
        broker = Broker.kafka(kafka.bootstrap_servers)
        async with (
            running_judge(default_profile()) as judge,
            running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS) as stream,
        ):
            await stream.start_worker()
            await stream.send_transcripts(renamed(real_transcripts(), TRANSCRIPTS))
            await stream.wait(lambda p: p.evaluations > 10)
            await asyncio.to_thread(kafka.kill)
            await asyncio.sleep(4)
            await asyncio.to_thread(kafka.start)
            await stream.through(TRANSCRIPTS, seconds=180)
            await _assert_complete(stream)
    finally:
        await asyncio.to_thread(kafka.stop)


async def test_a_judge_that_is_away_fails_evaluations_and_loses_none(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    """Nobody listens there for longer than is waited: each evaluation says so, is stored, and makes no pair."""
    async with running_stream(
        broker,
        topic_prefix,
        store,
        tmp_path,
        judge_url=f"http://127.0.0.1:{free_port()}/v1",
        rows=ROWS,
        judges={"main": _impatient()},
    ) as stream:
        await stream.start_worker()
        await stream.send_transcripts(renamed(real_transcripts(), 3))
        await stream.through(3)
        evaluations = await stream.evaluations()
        assert {e.outcome for e in evaluations} == {"error"}
        assert all(e.answers == () and e.reason for e in evaluations)
        assert await stream.pairs() == []


async def test_a_judge_that_goes_away_in_mid_stream_pauses_it_and_is_asked_again(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    async with (
        running_judge(default_profile()) as judge,
        running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS) as stream,
    ):
        worker = await stream.start_worker()
        await stream.send_transcripts(renamed(real_transcripts(), TRANSCRIPTS))
        await stream.wait(lambda p: p.evaluations > 10)
        assert await stream.metric(PAUSED) == 0
        judge.away = True
        await asyncio.sleep(4)
        assert await stream.metric(PAUSED) == 1
        before = len(judge.answered)
        turned_away = judge.turned_away
        await asyncio.sleep(4)
        # One probe at a time: a judge that has trouble isn't knocked at by all.
        assert 0 < judge.turned_away - turned_away <= 4
        assert len(judge.answered) == before
        judge.away = False
        progress = await stream.through(TRANSCRIPTS)
        assert worker.process.poll() is None
        assert await stream.metric(PAUSED) == 0
        await _assert_complete(stream)
        assert len(judge.answered) == len(set(judge.answered)) == progress.evaluations


@pytest.mark.parametrize("broker", ["tansu"], indirect=True)
async def test_a_worker_stops_when_it_is_told_to_also_while_its_judge_is_away(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    async with (
        running_judge(default_profile()) as judge,
        running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS) as stream,
    ):
        judge.away = True
        worker = await stream.start_worker()
        await stream.send_transcripts(renamed(real_transcripts(), 5))
        await _until_paused(stream)
        worker.process.terminate()
        assert await asyncio.to_thread(worker.process.wait, 20) == 0
        await stream.children.stop(worker)
        judge.away = False
        await stream.start_worker()
        await stream.through(5)
        await _assert_complete(stream)


@pytest.mark.parametrize("broker", [pytest.param("kafka", marks=pytest.mark.kafka)], indirect=True)
async def test_a_worker_that_joins_while_the_judge_is_away(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    async with (
        running_judge(default_profile()) as judge,
        running_stream(
            broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS, kafka=QUICK
        ) as stream,
    ):  # fmt: skip
        judge.away = True
        first = await stream.start_worker()
        await stream.send_transcripts(renamed(real_transcripts(), 10))
        await _until_paused(stream)
        second = await stream.start_worker()
        await asyncio.sleep(5)  # longer than the group waits for a member that has to join again
        judge.away = False
        await stream.through(10)
        await _assert_complete(stream)
        assert first.process.poll() is None
        assert second.process.poll() is None


async def _until_paused(stream: Stream) -> None:
    async with asyncio.timeout(60):
        while not await stream.metric(PAUSED):  # noqa: ASYNC110 - it is another process's state
            await asyncio.sleep(0.2)


def _impatient() -> dict[str, object]:
    return {
        "provider": "openai",
        "model": "judge-x",
        "base_url": f"http://127.0.0.1:{free_port()}/v1",
        "attempts": 1,
        "limits": {"outage_seconds": 1.0},
    }


async def _assert_complete(stream: Stream) -> None:
    evaluations = await stream.evaluations()
    assert {e.outcome for e in evaluations} == {"ok"}
    made = {pair.pair_id: pair for pair in pair_evaluations(deduplicate(evaluations).evaluations)}
    assert {pair.pair_id: pair for pair in await stream.pairs()} == made
