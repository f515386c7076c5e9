"""How many calls may be under way at once: more while they succeed, fewer when the provider pushes back."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

CUT = 0.7


class AdaptiveConcurrency:
    """Additive increase, multiplicative decrease, between 1 and `most`.

    A burst of refusals is one cut: only a call that began after the last cut can cause another.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(most)
        self._running = 0
        self._begun = 0
        self._cut_at = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def limit(self) -> int:
        """How many calls may be under way now."""
        return max(1, int(self._limit))

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[int]:
        """Waits for a place and holds it; gives the call's number, for `pushed_back`. First come, first served."""
        if self._running >= self.limit or self._waiting:
            await self._wait()
        else:
            self._running += 1
        self._begun += 1
        try:
            yield self._begun
        finally:
            self._running -= 1
            self._wake()

    def succeeded(self) -> None:
        """A call came back: one more place for each round of successes."""
        self._limit = min(float(self._most), self._limit + 1 / self._limit)
        self._wake()

    def pushed_back(self, number: int) -> None:
        """The provider said that it was too much, or gave no reply in time."""
        if number > self._cut_at:
            self._limit = max(1.0, self._limit * CUT)
            self._cut_at = self._begun

    async def _wait(self) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                # The place was given just before: it goes to the next one.
                self._running -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._running < self.limit:
            place = self._waiting.popleft()
            if not place.done():
                self._running += 1
                place.set_result(None)
