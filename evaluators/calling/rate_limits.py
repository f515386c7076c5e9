"""Requests and tokens per minute, as a provider grants them."""

from __future__ import annotations

from aiolimiter import AsyncLimiter

MINUTE_SECONDS = 60.0


class RateLimits:
    """Waits before a call so that neither limit is passed; None is no limit.

    Tokens are estimated before the call: what was sent at a quarter of its characters, and the whole output budget.
    """

    def __init__(
        self,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        period_seconds: float = MINUTE_SECONDS,
    ) -> None:
        self._requests = AsyncLimiter(requests_per_minute, period_seconds) if requests_per_minute else None
        self._tokens = AsyncLimiter(tokens_per_minute, period_seconds) if tokens_per_minute else None

    async def wait(self, tokens: int) -> None:
        """Waits until a call that takes about so many tokens may go."""
        if self._requests is not None:
            await self._requests.acquire()
        if self._tokens is not None:
            # A call larger than the minute's grant takes all of it: it could never go otherwise.
            await self._tokens.acquire(min(tokens, self._tokens.max_rate))
