"""The whole stream for a test: a simulated judge in this process, workers as children, a broker and a store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import tomli_w
from aiohttp import web
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from prometheus_client.parser import text_string_to_metric_families

from evaluators.evaluation import Evaluation
from evaluators.simulated.profile_records import Profile
from evaluators.simulated.server import make_app
from metrics.clickhouse.client import connect
from metrics.clickhouse.progress import Progress, read_progress
from metrics.clickhouse.stored_records import all_evaluations, pairs_in_window
from metrics.pairs.pair import Pair
from perturbations.records.transcript import Transcript
from streams.config.settings import Settings, settings_of
from streams.embedded.children import Child, Children, accepts_connections, free_port, python_child
from streams.kafka.topic_admin import create_topics
from streams.kafka.topics import TRANSCRIPTS, topic_name
from tests.conftest import Broker


@dataclass
class JudgeUnderTest:
    """The simulated judge, with chosen calls held back by their Idempotency-Key, and every key that was asked.

    While it is `away` it turns everyone away; `answered` are the keys of the calls that it answered.
    """

    url: str = ""
    held_calls: dict[str, asyncio.Event] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    away: bool = False
    turned_away: int = 0

    def hold(self, key: str) -> None:
        """Let calls under this key wait until they are released."""
        self.held_calls[key] = asyncio.Event()

    def release(self) -> None:
        """Answer what is held and hold nothing more."""
        for event in self.held_calls.values():
            event.set()
        self.held_calls.clear()


@asynccontextmanager
async def running_judge(profile: Profile) -> AsyncIterator[JudgeUnderTest]:
    judge = JudgeUnderTest()

    @web.middleware
    async def hold(request: web.Request, handler: Callable[[web.Request], Any]) -> web.StreamResponse:
        key = request.headers.get("Idempotency-Key", "")
        if request.method == "POST":
            judge.asked.append(key)
        if key in judge.held_calls:
            await judge.held_calls[key].wait()
        if judge.away:
            judge.turned_away += 1
            raise web.HTTPServiceUnavailable
        response: web.StreamResponse = await handler(request)
        if request.method == "POST":
            judge.answered.append(key)
        return response

    app = make_app(profile)
    app.middlewares.append(hold)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    judge.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield judge
    finally:
        judge.release()
        await runner.cleanup()


@dataclass
class Stream:
    """One stream under test: its settings and the children that run it."""

    settings: Settings
    children: Children
    config: Path
    logs: Path
    dsn: str

    async def start_worker(self, *agents: str) -> Child:
        """A worker process, once its metrics answer."""
        port = free_port()
        arguments = ["worker", "--config", str(self.config)]
        if agents:
            arguments += ["--agents", ",".join(agents)]
        environment = {"EVENHAND_WORKER_METRICS_PORT": str(port)}

        async def ready() -> bool:
            return await accepts_connections(port)

        child = await self.children.start(
            python_child("worker", "streams", arguments, ready, ready_seconds=60, environment=environment)
        )
        self.metrics_url = f"http://127.0.0.1:{port}/metrics"
        return child

    async def metric(self, name: str, **labels: str) -> float | None:
        """What the worker that was started last says of a series, the first where labels leave several."""
        async with aiohttp.ClientSession() as session, session.get(self.metrics_url) as response:
            families = text_string_to_metric_families(await response.text())
        samples = (sample for family in families for sample in family.samples if sample.name == name)
        return next((sample.value for sample in samples if labels.items() <= sample.labels.items()), None)

    async def kill(self, child: Child) -> None:
        """SIGKILL."""
        child.process.kill()
        await self.children.stop(child)

    async def send(self, values: Iterable[tuple[bytes | None, bytes | None]], *, topic: str = TRANSCRIPTS) -> None:
        """Raw records onto a topic, of transcripts by default."""
        producer = AIOKafkaProducer(
            bootstrap_servers=self.settings.kafka.bootstrap_servers, acks="all", max_request_size=12_000_000
        )
        await producer.start()
        try:
            for key, value in values:
                await producer.send_and_wait(topic_name(self.settings.kafka, topic), key=key, value=value)
        finally:
            await producer.stop()

    async def send_transcripts(self, transcripts: Sequence[Transcript]) -> None:
        await self.send((t.transcript_id.encode(), t.model_dump_json().encode()) for t in transcripts)

    async def wait(self, until: Callable[[Progress], bool], *, seconds: float = 120) -> Progress:
        """The progress that satisfies `until`; fails with the last one seen."""
        deadline = time.monotonic() + seconds
        async with await connect(self.dsn) as client:
            while True:
                self.children.check()
                progress = await read_progress(client)
                if until(progress):
                    return progress
                assert time.monotonic() < deadline, f"still at {progress} after {seconds} s; {self._said()}"
                await asyncio.sleep(0.25)

    def _said(self) -> str:
        return " | ".join(path.read_text(errors="replace")[-1500:] for path in sorted(self.logs.iterdir()))

    async def through(self, transcripts: int, *, seconds: float = 120) -> Progress:
        """Wait until so many transcripts have come out with all their evaluations and the pairs are stored."""
        progress = await self.wait(
            lambda p: p.transcripts == transcripts and p.evaluations == p.expected, seconds=seconds
        )
        before = -1
        while before != (now := len(await self.pairs())):
            before = now
            await asyncio.sleep(1)
        return progress

    async def evaluations(self) -> list[Evaluation]:
        async with await connect(self.dsn) as client:
            return [evaluation async for evaluation in all_evaluations(client)]

    async def pairs(self) -> list[Pair]:
        async with await connect(self.dsn) as client:
            return await pairs_in_window(client)

    async def records(self, topic: str, count: int, *, seconds: float = 30) -> list[Any]:
        """The first `count` records of a topic; fails where there are fewer."""
        consumer = AIOKafkaConsumer(
            topic_name(self.settings.kafka, topic),
            bootstrap_servers=self.settings.kafka.bootstrap_servers,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            fetch_max_bytes=20_000_000,
            max_partition_fetch_bytes=12_000_000,
        )
        await consumer.start()
        records: list[Any] = []
        try:
            async with asyncio.timeout(seconds):
                while len(records) < count:
                    for batch in (await consumer.getmany(timeout_ms=500)).values():
                        records += batch
        finally:
            await consumer.stop()
        return records


@asynccontextmanager
async def running_stream(
    broker: Broker,
    prefix: str,
    dsn: str,
    directory: Path,
    *,
    judge_url: str,
    partitions: int = 4,
    rows: Sequence[str] | None = None,
    rubric: Path | None = None,
    **sections: dict[str, Any],
) -> AsyncIterator[Stream]:
    """Topics and a configuration on this broker and store; start workers on it yourself."""
    data: dict[str, Any] = {
        **({"rubric": str(rubric)} if rubric is not None else {}),
        "kafka": {
            "bootstrap_servers": broker.bootstrap_servers,
            "topic_prefix": prefix,
            "partitions": partitions,
            "rebalance_timeout_seconds": float(broker.rebalance_timeout),
            "session_timeout_seconds": float(broker.session_timeout),
            "heartbeat_seconds": float(broker.heartbeat),
        },
        "clickhouse": {"dsn": dsn},
        "sampling": {"rate": 1.0, **({"rows": list(rows)} if rows is not None else {})},
        "judges": {"main": {"provider": "openai", "model": "judge-x", "base_url": judge_url}},
    }
    for name, section in sections.items():
        data[name] = {**data.get(name, {}), **section}
    settings = settings_of(data)
    await create_topics(settings.kafka)
    config = directory / "evenhand.toml"
    config.write_text(tomli_w.dumps(data), encoding="utf-8")
    async with Children(directory / "logs") as children:
        yield Stream(settings, children, config, directory / "logs", dsn)


@asynccontextmanager
async def worker_on(
    data: dict[str, Any], directory: Path, *agents: str, **environment: str
) -> AsyncIterator[Callable[[], Awaitable[str]]]:
    """A worker on this configuration (its secrets in the environment); gives how to read its metrics."""
    port = free_port()
    kafka = {name: value for name, value in data["kafka"].items() if name != "sasl_password"}
    config = directory / "evenhand.toml"
    config.write_text(tomli_w.dumps({**data, "kafka": kafka, "worker": {"metrics_port": port}}), encoding="utf-8")

    async def metrics() -> str:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{port}/metrics") as response,
        ):
            return await response.text()

    arguments = ["worker", "--config", str(config), "--agents", ",".join(agents)]
    ready = partial(accepts_connections, port)
    async with Children(directory / "logs") as children:
        await children.start(
            python_child("worker", "streams", arguments, ready, ready_seconds=60, environment=environment)
        )
        yield metrics


def renamed(transcripts: Sequence[Transcript], count: int) -> list[Transcript]:
    """So many transcripts, made of these under ids of their own."""
    return [transcripts[n % len(transcripts)].model_copy(update={"transcript_id": f"{n:03d}"}) for n in range(count)]
