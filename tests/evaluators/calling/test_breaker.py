"""The circuit breaker by itself, on a clock of its own."""

from __future__ import annotations

import math

from evaluators.calling.breaker import Breaker
from evaluators.errors import Unreachable


async def test_calls_from_before_an_outage_do_not_postpone_its_probe() -> None:
    now = [0.0]

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    breaker = Breaker(threshold=1, patience_seconds=math.inf, monotonic=lambda: now[0], sleep=sleep)
    for _ in range(16):
        breaker.failed(Unreachable("gone"))
    assert await breaker.admit()
    assert now[0] <= 1.5
    breaker.failed(Unreachable("gone"))  # the probe itself: the next one comes later
    assert await breaker.admit()
    assert now[0] >= 3.0
