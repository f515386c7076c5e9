"""A worker process: what it says where it can't start, how it stops, and that a slow judge costs it nothing."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from prometheus_client import CollectorRegistry

from evaluators.evaluation import Evaluation, evaluation_id
from evaluators.simulated.profile import default_profile
from metrics.prometheus.counters import Counters
from perturbations.arms import is_judged, with_rubric
from perturbations.records.transcript import Transcript
from perturbations.rows import ROWS
from streams.config.form import rubric_of
from streams.config.settings import Settings, settings_of
from streams.embedded.children import Child
from streams.kafka.topic_admin import create_topics
from streams.kafka.topics import DEAD_LETTERS, EVALUATIONS, VARIANTS, group_name, topic_name
from streams.runtime.app import Callbacks, build_app
from streams.worker.parts import Parts
from streams.worker.stages import STAGES
from tests.builders import make_transcript
from tests.conftest import Broker
from tests.real_transcripts import real_transcripts
from tests.streams.command import Ran, run
from tests.streams.harness import renamed, running_judge, running_stream
from tests.streams.undisturbed import QUICK
from tests.variants import make_arms

DAY_SECONDS = 24 * 60 * 60.0


@pytest.fixture
def broker(tansu_broker: str) -> Broker:
    """The embedded broker alone: nothing here depends on which one it is."""
    return Broker.tansu(tansu_broker)


@pytest.fixture
async def environment(tansu_broker: str, topic_prefix: str, store_server: str) -> dict[str, str]:
    """Variables of a worker that finds its topics, an unmigrated database and no judge."""
    await create_topics(
        settings_of({"kafka": {"bootstrap_servers": tansu_broker, "topic_prefix": topic_prefix}}).kafka
    )
    return {
        "EVENHAND_KAFKA_BOOTSTRAP_SERVERS": tansu_broker,
        "EVENHAND_KAFKA_TOPIC_PREFIX": topic_prefix,
        "EVENHAND_CLICKHOUSE_DSN": store_server,
        "EVENHAND_WORKER_METRICS_PORT": "0",
    }


async def worker(directory: Path, environment: dict[str, str], *arguments: str) -> Ran:
    return await asyncio.to_thread(run, "worker", *arguments, cwd=directory, environment=environment)


async def test_topics_that_are_missing(environment: dict[str, str], tmp_path: Path) -> None:
    ran = await worker(tmp_path, environment | {"EVENHAND_KAFKA_TOPIC_PREFIX": "nobodys."})
    assert (ran.code, ran.out) == (1, "")
    assert ran.said("topics missing", "nobodys.autoqa.transcripts.v1", "create them with `evenhand topics`")


async def test_a_database_without_its_tables(environment: dict[str, str], tmp_path: Path) -> None:
    ran = await worker(tmp_path, environment, "--agents", "pair")
    assert (ran.code, ran.out) == (1, "")
    assert ran.said("the database lacks 0001_tables", "run `evenhand migrate`"), ran.err


async def test_no_such_database(environment: dict[str, str], tmp_path: Path) -> None:
    dsn = environment["EVENHAND_CLICKHOUSE_DSN"].replace("/default", "/nowhere")
    ran = await worker(tmp_path, environment | {"EVENHAND_CLICKHOUSE_DSN": dsn}, "--agents", "pair")
    assert (ran.code, ran.out) == (1, "")
    assert ran.said("no database 'nowhere'", "run `evenhand migrate`"), ran.err


async def test_no_judge(environment: dict[str, str], tmp_path: Path) -> None:
    ran = await worker(tmp_path, environment, "--agents", "evaluate")
    assert (ran.code, ran.out) == (2, "")
    assert ran.said("no judge 'main'", "add [judges.main] to the configuration"), ran.err


async def test_a_metrics_port_in_use(environment: dict[str, str], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = await worker(tmp_path, environment | {"EVENHAND_WORKER_METRICS_PORT": port}, "--agents", "sample")
    assert (ran.code, ran.out) == (1, "")
    assert ran.said(port, "in use", "worker.metrics_port", "0 for none"), ran.err


async def test_too_many_dead_letters_in_a_row_stop_it_with_the_reason(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    async with running_stream(
        broker,
        topic_prefix,
        store,
        tmp_path,
        judge_url="http://127.0.0.1:9/v1",
        worker={"dead_letter_consecutive": 5},
    ) as stream:
        child = await stream.start_worker("sample")
        await stream.send((f"k-{n}".encode(), b"{bad") for n in range(200))
        assert await ended(child, seconds=30) == 1
        assert "stage sample: 5 records in a row went to the dead letters (last reason: not_json)" in child.tail()
        assert "Traceback" not in child.tail()
        assert len(await stream.records(DEAD_LETTERS, 5)) < 100
        await stream.children.stop(child)


async def test_sigterm_finishes_what_is_in_flight_and_ends_with_zero(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    transcripts, rows = renamed(real_transcripts(), 3), ["politeness"]
    async with (
        running_judge(default_profile()) as judge,
        running_stream(
            broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=rows, partitions=1,
            sampling={"placebo_rate": 0.0},
        ) as stream,
    ):  # fmt: skip
        expected = judged(stream.settings, transcripts, rows)
        judge.hold(expected[0])
        child = await stream.start_worker("sample", "perturb", "evaluate")
        await stream.send_transcripts(transcripts)
        await until(lambda: set(judge.asked) == set(expected))
        child.process.send_signal(signal.SIGTERM)
        await asyncio.sleep(1)
        assert child.process.poll() is None
        judge.release()
        assert await ended(child, seconds=10) == 0
        assert "stopping: finishing what is in flight" in child.tail()
        assert "Traceback" not in child.tail()
        await stream.children.stop(child)
        # All of it was sent on and is committed: whoever starts next asks for none of it again.
        sent = {record.value for record in await stream.records(EVALUATIONS, len(expected))}
        assert {Evaluation.model_validate_json(value).evaluation_id for value in sent} == set(expected)
        arms = 2 + len(ROWS["politeness"].attributes)
        assert await committed(stream.settings, "evaluate", VARIANTS) == arms * len(transcripts)


async def test_a_slow_judge_gets_no_worker_evicted(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many calls as may run take longer than a session and a poll may, and more waits than the buffer holds."""
    monkeypatch.setenv("BROKER_MAX_POLL_INTERVAL", "2")
    rows = [
        "agent_ethnicity_name",
        "agent_ethnicity_cues",
        "agent_religion_name",
        "agent_religion_cues",
        "politeness",
    ]
    nameless = [
        make_transcript(f"{n:03d}", ("agent", "Hello, can you please wait?"), ("customer", "Yes."), agent={})
        for n in range(26)
    ]
    async with (
        running_judge(default_profile()) as judge,
        running_stream(
            broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=rows, partitions=1,
            worker={"perturb_concurrency": 1, "evaluate_concurrency": 2}, sampling={"placebo_rate": 0.0}, kafka=QUICK,
        ) as stream,
    ):  # fmt: skip
        expected = judged(stream.settings, nameless, rows)
        slow = expected[:2]
        for key in slow:
            judge.hold(key)
        child = await stream.start_worker()
        await stream.send_transcripts(nameless)
        await until(lambda: len(judge.asked) == 2)
        began = time.monotonic()
        while time.monotonic() - began < 8:
            await asyncio.sleep(0.5)
            assert sorted(judge.asked) == sorted(slow)
        judge.release()
        await stream.through(len(nameless))
        assert sorted(judge.asked) == sorted(expected)
        assert "rejoin" not in child.tail()


def test_a_judge_may_be_away_for_days_and_no_variable_of_another_program_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {
        "BROKER_URL": "amqp://celery",
        "BROKER_MAX_POLL_INTERVAL": "4",
        "STORE": "rocksdb://",
    }.items():
        monkeypatch.setenv(name, value)
    settings = settings_of({"kafka": {"bootstrap_servers": "k:9092"}})
    stage = STAGES["sample"].build(Parts(settings, Counters(CollectorRegistry())))
    callbacks = Callbacks(dead_lettered=lambda *_: None, stop=lambda _: None)
    conf = build_app(settings.kafka, settings.worker, stage, callbacks).conf
    assert conf.broker_max_poll_interval >= DAY_SECONDS
    assert [str(url) for url in conf.broker] == ["kafka://k:9092"]
    assert str(conf.store) == "memory:"


async def committed(settings: Settings, stage: str, topic: str) -> int | None:
    """What a stage has committed on the topic's only partition."""
    consumer = AIOKafkaConsumer(
        bootstrap_servers=settings.kafka.bootstrap_servers, group_id=group_name(settings.kafka, stage)
    )
    partition = TopicPartition(topic_name(settings.kafka, topic), 0)
    consumer.assign([partition])
    await consumer.start()
    try:
        offset: int | None = await consumer.committed(partition)
        return offset
    finally:
        await consumer.stop()


def judged(settings: Settings, transcripts: Sequence[Transcript], rows: Sequence[str]) -> list[str]:
    """The ids of the evaluations that the judge is asked for, in the order of their messages."""
    _, config = settings.judge_named(None)
    ids = []
    for transcript in transcripts:
        full = with_rubric(transcript, rubric_of(settings))
        for arm in make_arms(full, rows=rows, seed=settings.seed, repeats=settings.sampling.repeats):
            if is_judged(arm):
                v = arm.variant
                key = (v.transcript_id, arm.transcript_hash, v.row, v.attribute, v.draw, arm.repeat, config.system_id)
                ids.append(evaluation_id(*key))
    return ids


async def until(true: Callable[[], bool], *, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def ended(child: Child, *, seconds: float) -> int:
    return await asyncio.to_thread(child.process.wait, seconds)
