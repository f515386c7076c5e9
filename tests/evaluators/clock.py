"""A clock that only moves when somebody sleeps."""

from __future__ import annotations

import asyncio


class Clock:
    """Seconds since the start; a sleep moves it and lets the others run."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.seconds + seconds
        await asyncio.sleep(0)
        self.seconds = max(self.seconds, until)
