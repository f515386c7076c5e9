"""A Faust app around one stage: consume, handle many at once, send, ack in order.

Each stage is an app with a consumer group of its own, so that evaluators scale (and rebalance) apart from the rest.
A handler that raises would have its event acked and dropped by Faust, and Faust commits past a lone un-acked event:
so events are taken with `noack()`, handled in tasks of our own, and acked by `OrderedAcks` once what follows from
them has been taken by the broker.
"""

from __future__ import annotations

import asyncio
import logging
import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import faust
from faust.types import EventT

from perturbations.records.errors import RecordError
from streams.config.sections import KafkaSettings, WorkerSettings
from streams.kafka.connection import HEADROOM_BYTES
from streams.kafka.topics import TOPICS, group_name, topic_name
from streams.runtime.credentials import faust_credentials
from streams.runtime.dead_letter import DeadLetterLimit, TooManyDeadLetters, dead_letter
from streams.runtime.ordered_acks import Arrival, OrderedAcks
from streams.runtime.stage import Incoming, Outage, Outgoing, Stage, broker_time

log = logging.getLogger("evenhand")

EXIT_RESTART = 70
"""The exit code of a worker that left at once, to be started again (EX_SOFTWARE of sysexits.h)."""

MOST_UNACKED = 2_000
"""How many events a stage holds that are taken and not yet acked."""

LONGEST_PAUSE_SECONDS = 7 * 24 * 60 * 60.0
"""How long a stage may be too busy to fetch more. A member that is put out for that never comes back by itself, and a
judge that is slow or away is no reason to: that a worker is alive is told by its heartbeats."""


@dataclass(frozen=True)
class Callbacks:
    """What the worker wants to hear: each dead letter (stage, reason), and why a stage must stop."""

    dead_lettered: Callable[[str, str], None]
    stop: Callable[[str], None]


def build_app(kafka: KafkaSettings, worker: WorkerSettings, stage: Stage, callbacks: Callbacks) -> faust.App:
    """The Faust app that runs this stage."""
    app = faust.App(
        id=group_name(kafka, stage.name),
        broker=[f"kafka://{server.strip()}" for server in kafka.bootstrap_servers.split(",")],
        broker_credentials=faust_credentials(kafka),
        broker_rebalance_timeout=kafka.rebalance_timeout_seconds,
        broker_session_timeout=kafka.session_timeout_seconds,
        broker_heartbeat_interval=kafka.heartbeat_seconds,
        broker_max_poll_interval=LONGEST_PAUSE_SECONDS,
        broker_commit_interval=1.0,
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=kafka.max_message_bytes + HEADROOM_BYTES,
        producer_max_request_size=kafka.max_message_bytes + HEADROOM_BYTES,
        producer_acks=-1,
        stream_buffer_maxsize=512,
        stream_wait_empty=True,
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
        store="memory://",
        env={},  # else a BROKER_URL or STORE that is meant for another program would win over all this
    )
    topics = {topic: _raw_topic(app, topic_name(kafka, topic)) for topic in TOPICS}
    runner = StageRunner(stage, worker, callbacks, topics)

    async def run(stream: Any) -> None:
        async for event in stream.noack().events():
            await runner.take(event)

    app.agent(topics[stage.source], name=stage.name)(run)
    return app


def _raw_topic(app: faust.App, name: str) -> Any:
    # Raw bytes: decoding happens inside the handler, so that bad input reaches the dead letters.
    return app.topic(
        name, key_serializer="raw", value_serializer="raw", key_type=bytes, value_type=bytes, internal=False
    )


class StageRunner:
    """Runs a stage's handler for up to `concurrency` events at once."""

    def __init__(self, stage: Stage, worker: WorkerSettings, callbacks: Callbacks, topics: dict[str, Any]) -> None:
        self._stage = stage
        self._callbacks = callbacks
        self._topics = topics
        self._acks = OrderedAcks()
        self._acked = asyncio.Event()
        self._free = asyncio.Semaphore(stage.concurrency)
        self._tasks: set[asyncio.Task[None]] = set()
        self._limit = DeadLetterLimit(
            stage.name, worker.dead_letter_share, worker.dead_letter_window, worker.dead_letter_consecutive
        )

    async def take(self, event: EventT[bytes]) -> None:
        """Take an event's place in the order and start work on it; waits while all places are busy."""
        while self._acks.waiting >= MOST_UNACKED:
            # A slow head holds back the acks of all that is done behind it: not without end, since each is kept.
            self._acked.clear()
            await self._acked.wait()
        arrival = self._acks.arrived(event, event.message.tp)
        await self._free.acquire()
        task = asyncio.create_task(self._work(arrival, _incoming(event)))
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._free.release()
        if not task.cancelled() and task.exception() is not None:
            # What the stage needs is away, or neither what follows nor the dead letter could be sent. The event is
            # not acked: leave at once, whoever starts next has it again. (A raise into Faust would ack it.)
            log.critical("stage %s can't go on, leaving for a restart: %s", self._stage.name, task.exception())
            os._exit(EXIT_RESTART)

    async def _work(self, arrival: Arrival, incoming: Incoming) -> None:
        error: RecordError | None = None
        try:
            outgoing: Sequence[Outgoing] = await self._stage.handle(incoming)
            await self._send(outgoing)
        except Outage:
            raise
        except RecordError as problem:
            error = problem
        except Exception as problem:
            # The frames, not the message: an exception's text may repeat a transcript's.
            frames = "".join(traceback.format_tb(problem.__traceback__))
            log.error("stage %s: %s on %s\n%s", self._stage.name, type(problem).__name__, _place(incoming), frames)
            error = RecordError("unexpected", type(problem).__name__)
        if error is not None:
            await self._send([dead_letter(incoming, self._stage.name, error)])
            self._callbacks.dead_lettered(self._stage.name, error.reason)
        self._acks.done(arrival)
        self._acked.set()
        self._count(error)

    def _count(self, error: RecordError | None) -> None:
        if error is None:
            self._limit.good()
            return
        try:
            self._limit.bad(error.reason)
        except TooManyDeadLetters as problem:
            self._callbacks.stop(str(problem))

    async def _send(self, outgoing: Sequence[Outgoing]) -> None:
        sent = [
            await self._topics[out.topic].send(key=out.key, value=out.value, headers=out.headers) for out in outgoing
        ]
        for future in sent:
            await future


def _incoming(event: EventT[bytes]) -> Incoming:
    message = event.message
    return Incoming(
        key=message.key,
        value=message.value,
        topic=message.topic,
        partition=message.partition,
        offset=message.offset,
        timestamp=broker_time(message.timestamp),
    )


def _place(incoming: Incoming) -> str:
    return f"{incoming.topic}[{incoming.partition}]@{incoming.offset}"
