"""What happens around a stage's handler: places, sends, dead letters, acks. Faust's part is a small double here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from perturbations.records.errors import RecordError
from streams.config.sections import WorkerSettings
from streams.kafka.topics import DEAD_LETTERS, PAIRS
from streams.runtime.app import MOST_UNACKED, Callbacks, StageRunner
from streams.runtime.stage import Incoming, Outgoing

WORDS = "the customer said something private"


@dataclass
class ListTopic:
    """Keeps what is sent to it."""

    sent: list[Any] = field(default_factory=list)

    async def send(self, **record: Any) -> asyncio.Future[None]:
        self.sent.append(record)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done


class ScriptedStage:
    """Answers each record as its value says: passes it on, is slow until told, or fails in some way."""

    name = "scripted"
    source = "autoqa.transcripts.v1"
    concurrency = 4
    is_paused = False

    def __init__(self) -> None:
        self.slow = asyncio.Event()

    async def handle(self, incoming: Incoming) -> Sequence[Outgoing]:
        match incoming.value:
            case b"slow":
                await self.slow.wait()
            case b"bad":
                raise RecordError("invalid", "turns: Field required")
            case b"broken":
                raise ZeroDivisionError(WORDS)
        return [Outgoing(PAIRS, incoming.key, incoming.value)]


class Harness:
    def __init__(self) -> None:
        self.stage = ScriptedStage()
        self.pairs, self.dead = ListTopic(), ListTopic()
        self.acked: list[int] = []
        self.letters: list[tuple[str, str]] = []
        self.stopped: list[str] = []
        callbacks = Callbacks(lambda *letter: self.letters.append(letter), self.stopped.append)
        self.runner = StageRunner(
            self.stage,
            WorkerSettings(dead_letter_consecutive=3),
            callbacks,
            {PAIRS: self.pairs, DEAD_LETTERS: self.dead},
        )
        self._offset = -1

    def event(self, value: bytes) -> Any:
        self._offset += 1
        message = SimpleNamespace(
            key=b"k", value=value, topic="t", partition=0, offset=self._offset, timestamp=0.0, tp=("t", 0)
        )
        offset = self._offset
        return SimpleNamespace(message=message, ack=lambda: self.acked.append(offset))


async def test_good_and_bad_records_leave_in_their_own_ways(caplog: pytest.LogCaptureFixture) -> None:
    harness = Harness()
    for value in (b"one", b"bad", b"broken", b"two"):
        await harness.runner.take(harness.event(value))
    await asyncio.sleep(0.01)
    assert [record["value"] for record in harness.pairs.sent] == [b"one", b"two"]
    assert [record["value"] for record in harness.dead.sent] == [b"bad", b"broken"]
    reasons = [record["headers"]["reason"] for record in harness.dead.sent]
    assert reasons == [b"invalid", b"unexpected"]
    assert harness.letters == [("scripted", "invalid"), ("scripted", "unexpected")]
    assert harness.acked == [0, 1, 2, 3]
    # What went wrong is told with its place and its frames; the exception's text may be a customer's.
    assert "ZeroDivisionError on t[0]@2" in caplog.text
    assert "private" not in caplog.text
    assert b"private" not in str(harness.dead.sent).encode()


async def test_acks_wait_for_a_slow_head_and_so_do_new_events_in_the_end() -> None:
    harness = Harness()
    await harness.runner.take(harness.event(b"slow"))
    for _ in range(MOST_UNACKED - 1):
        await harness.runner.take(harness.event(b"quick"))
    one_more = asyncio.create_task(harness.runner.take(harness.event(b"quick")))
    await asyncio.sleep(0.05)
    assert harness.acked == []
    assert not one_more.done()
    harness.stage.slow.set()
    await asyncio.wait_for(one_more, 5)
    await asyncio.sleep(0.05)
    assert harness.acked == list(range(MOST_UNACKED + 1))


async def test_too_many_dead_letters_stop_the_stage_with_the_reason() -> None:
    harness = Harness()
    for _ in range(3):
        await harness.runner.take(harness.event(b"bad"))
    await asyncio.sleep(0.01)
    assert len(harness.dead.sent) == 3
    assert ["3 records in a row" in reason for reason in harness.stopped] == [True]
