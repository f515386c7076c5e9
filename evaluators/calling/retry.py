"""The one retry layer: which failures are worth another try, how often, and after how long.

SDK retries are off everywhere, so that layers don't multiply. Waits are injected, so that tests need no time.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from evaluators.errors import ProviderError

Result = TypeVar("Result")

MAX_RETRY_AFTER_SECONDS = 900.0
"""A provider that asks for more patience than this is out of service for this call."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Backoff:
    """How long to wait before the next attempt: the provider's Retry-After, else exponential with jitter.

    The n-th wait is drawn from the upper half of [0, first_seconds * 2**n], at most `max_seconds`; a valid
    Retry-After replaces it, with up to a second on top so that waiting callers don't return as one.
    """

    first_seconds: float = 1.0
    max_seconds: float = 30.0
    fraction: Callable[[], float] = field(default_factory=lambda: random.Random().random)
    """Jitter: a number in [0, 1)."""

    def seconds(self, attempt: int, retry_after: float | None) -> float:
        """The wait after failed attempt number `attempt` (from 1)."""
        if retry_after is not None:
            return retry_after + self.fraction()
        longest = min(self.max_seconds, self.first_seconds * 2.0 ** min(attempt - 1, 30))
        return longest * (1 + self.fraction()) / 2


@dataclass(frozen=True)
class Retries:
    """Up to `attempts` attempts in all, with what they need of the world."""

    attempts: int = 4
    backoff: Backoff = field(default_factory=Backoff)
    now: Callable[[], datetime] = _utc_now
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def call(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """The result of the first attempt that gives one; raises the last ProviderError where none does.

        Only errors that are `retryable` are tried again, and none whose Retry-After is over
        MAX_RETRY_AFTER_SECONDS.
        """
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self.attempts),
            retry=retry_if_exception(self._worth_another_try),
            wait=self._wait,
            sleep=self.sleep,
            reraise=True,
        )
        async for this in retrying:
            with this:
                return await attempt()
        raise AssertionError("unreachable: the last attempt's error is raised")

    def _worth_another_try(self, error: BaseException) -> bool:
        if not isinstance(error, ProviderError) or not error.retryable:
            return False
        return (read_retry_after(error.retry_after, self.now()) or 0.0) <= MAX_RETRY_AFTER_SECONDS

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        header = error.retry_after if isinstance(error, ProviderError) else None
        return self.backoff.seconds(state.attempt_number, read_retry_after(header, self.now()))


def read_retry_after(header: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, given as seconds or as an HTTP date; always positive.

    None where there is no header, or where it asks for nothing that can be waited for: a past date, zero, a negative
    number, nan, inf, words.
    """
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            moment = parsedate_to_datetime(header)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
        # "-0000" and a missing zone give a naive time; HTTP dates are always GMT.
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    return seconds if math.isfinite(seconds) and seconds > 0 else None
