"""Waiting out an outage: what is away is tried again for a while, then the worker leaves for a restart."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from streams.runtime.stage import Outage

Result = TypeVar("Result")
log = logging.getLogger("evenhand")

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 10.0


async def wait_out(
    call: Callable[[], Awaitable[Result]],
    *,
    away: type[Exception],
    seconds: float,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Result:
    """The call's result, tried again while it raises `away`, for up to `seconds`; then raises Outage."""
    deadline = clock() + seconds
    wait = FIRST_WAIT_SECONDS
    while True:
        try:
            return await call()
        except away as error:
            if clock() + wait > deadline:
                raise Outage(f"still away after {seconds:g} s: {error}") from None
            log.warning("%s; trying again in %g s", error, wait)
        await sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT_SECONDS)
