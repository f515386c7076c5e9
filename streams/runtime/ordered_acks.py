"""Acks released in order of arrival, per partition.

Faust commits past a lone un-acked event (faust-streaming#606): a kill would then lose the one event that was slow. So
an event's ack waits until everything that arrived before it on its partition is done. The price: what was finished
behind a slow head is done again after a kill; deterministic ids make that harmless.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Protocol


class Ackable(Protocol):
    """What is acked: a Faust event."""

    def ack(self) -> object:
        """Tell the consumer that this event is done."""


class Arrival:
    """One event's place in its partition's queue."""

    __slots__ = ("done", "event", "partition")

    def __init__(self, event: Ackable, partition: Hashable) -> None:
        self.event = event
        self.partition = partition
        self.done = False


class OrderedAcks:
    """A queue of arrivals per partition; only a finished front is acked."""

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[Arrival]] = {}

    def arrived(self, event: Ackable, partition: Hashable) -> Arrival:
        """Take an event's place; call in the order in which events arrive."""
        arrival = Arrival(event, partition)
        self._queues.setdefault(partition, deque()).append(arrival)
        return arrival

    def done(self, arrival: Arrival) -> None:
        """Mark one done and ack the finished front of its partition's queue."""
        arrival.done = True
        queue = self._queues[arrival.partition]
        while queue and queue[0].done:
            queue.popleft().event.ack()

    @property
    def waiting(self) -> int:
        """How many arrivals are not yet acked."""
        return sum(len(queue) for queue in self._queues.values())
