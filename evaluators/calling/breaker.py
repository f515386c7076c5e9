"""The circuit breaker: while a judge is out of service nobody asks it but one probe at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from evaluators.errors import Overloaded, ProviderError, Unreachable

FIRST_PROBE_SECONDS = 1.0
LONGEST_PROBE_SECONDS = 30.0


def is_outage(error: BaseException) -> bool:
    """Whether the error is of the kind that an outage gives; a wrong key or model is none, nor is a rate limit."""
    return isinstance(error, Overloaded | Unreachable)


class Breaker:
    """Opens after `threshold` failures in a row, whichever evaluations they belong to; one success closes it.

    `patience_seconds` is how long an outage is waited out from when it began: 0 is not at all, infinity for ever.
    While open, one caller at a time is let through as a probe, first after a second, then ever more rarely.
    """

    def __init__(
        self,
        *,
        threshold: int,
        patience_seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._threshold = threshold
        self._patience_seconds = patience_seconds
        self._monotonic = monotonic
        self._sleep = sleep
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False
        self._wait = FIRST_PROBE_SECONDS
        self._next_probe_at = 0.0
        self.outages = 0
        """How often it has opened."""

    @property
    def is_open(self) -> bool:
        """Whether the judge counts as out of service."""
        return self._opened_at is not None

    @property
    def is_waited_out(self) -> bool:
        """Whether it is open and patience isn't at its end."""
        return self._opened_at is not None and self._monotonic() - self._opened_at < self._patience_seconds

    async def admit(self) -> bool:
        """Waits until the judge may be asked; False where patience has come to its end.

        Who is admitted must tell how it went: `succeeded`, `failed` or `abandoned`.
        """
        while self._opened_at is not None:
            if not self.is_waited_out:
                return False
            until_probe = self._next_probe_at - self._monotonic()
            if until_probe <= 0 and not self._probing:
                self._probing = True
                return True
            await self._sleep(max(until_probe, FIRST_PROBE_SECONDS / 4))
        return True

    def succeeded(self) -> None:
        """The judge answered, if only to refuse."""
        self._failures = 0
        self._opened_at = None
        self._probing = False
        self._wait = FIRST_PROBE_SECONDS

    def failed(self, error: ProviderError) -> None:
        """The judge gave no answer."""
        if not is_outage(error):
            self.succeeded()
            return
        self._failures += 1
        if self._opened_at is not None and not self._probing:
            # A call from before it opened: many of them in flight say nothing of how long the outage will last.
            return
        self._probing = False
        if self._opened_at is None:
            if self._failures < self._threshold or not self._patience_seconds:
                return
            self._opened_at = self._monotonic()
            self.outages += 1
        else:
            self._wait = min(self._wait * 2, LONGEST_PROBE_SECONDS)
        self._next_probe_at = self._monotonic() + self._wait

    def abandoned(self) -> None:
        """The call was given up before it came to anything."""
        self._probing = False
