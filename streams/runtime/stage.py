"""A stage of the stream: one record in, records out. What an agent runs, free of Faust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol


@dataclass(frozen=True)
class Incoming:
    """One record as it came from the broker. `timestamp` is the broker's: the same on every redelivery."""

    key: bytes | None
    value: bytes | None
    topic: str
    partition: int
    offset: int
    timestamp: datetime


@dataclass(frozen=True)
class Outgoing:
    """One record to send; `topic` is a name of `streams.kafka.topics` without the prefix."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: dict[str, bytes] = field(default_factory=dict)


class Outage(Exception):
    """Something that a stage needs is away. The record is not at fault: never a dead letter, always a redelivery."""


class Stage(Protocol):
    """What one agent does: `name` is also its consumer group's ending, `source` the topic it reads.

    `handle` returns what to send, raises RecordError for a record that goes to the dead letters, or Outage once it
    has waited long enough. It may be called for the same record again, and for up to `concurrency` records at once.
    `is_paused` says that what is in flight may take for ever, since something that it waits for is away.
    """

    name: str
    source: str
    concurrency: int

    @property
    def is_paused(self) -> bool:
        """Whether nothing can be expected of what is in flight."""
        ...

    async def handle(self, incoming: Incoming) -> Sequence[Outgoing]:
        """The records that follow from this one."""
        ...


def broker_time(timestamp_seconds: float) -> datetime:
    """A broker's timestamp as a UTC time."""
    return datetime.fromtimestamp(timestamp_seconds, tz=UTC)
