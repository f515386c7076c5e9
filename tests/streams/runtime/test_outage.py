"""Waiting out an outage: again and again with longer waits, up to the configured time, on a clock of our own."""

from __future__ import annotations

import logging

import pytest

from streams.runtime.outage import FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, wait_out
from streams.runtime.stage import Outage


class Away(Exception):
    """What is away raises."""


class Clock:
    """A clock that only sleeping and calls move."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


class Service:
    """Away until a moment; each call takes `seconds`."""

    def __init__(self, clock: Clock, until: float, *, seconds: float = 0.0, error: type[Exception] = Away) -> None:
        self.calls = 0
        self._clock, self._until, self._seconds, self._error = clock, clock.now + until, seconds, error

    async def __call__(self) -> str:
        self.calls += 1
        self._clock.now += self._seconds
        if self._clock.now < self._until:
            raise self._error("away")
        return "here"


async def wait(service: Service, clock: Clock, seconds: float) -> str:
    return await wait_out(service, away=Away, seconds=seconds, sleep=clock.sleep, clock=clock)


async def test_nothing_is_waited_for_where_nothing_is_away(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    assert await wait(Service(clock, 0), clock, 60) == "here"
    assert (clock.waits, caplog.records) == ([], [])


async def test_waits_double_up_to_the_longest_until_it_is_back(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    service = Service(clock, 60)
    with caplog.at_level(logging.WARNING, "evenhand"):
        assert await wait(service, clock, 300) == "here"
    assert clock.waits[:6] == [0.5, 1, 2, 4, 8, 10]
    assert clock.waits[0] == FIRST_WAIT_SECONDS
    assert max(clock.waits) == LONGEST_WAIT_SECONDS
    assert service.calls == len(clock.waits) + 1
    assert 60 <= clock.now - 1_000 < 60 + LONGEST_WAIT_SECONDS
    assert caplog.messages[0] == "away; trying again in 0.5 s"


@pytest.mark.parametrize("call_seconds", [0.0, 7.0])
async def test_after_the_configured_time_it_is_an_outage(call_seconds: float) -> None:
    clock = Clock()
    with pytest.raises(Outage, match="still away after 30 s: away"):
        await wait(Service(clock, 10_000, seconds=call_seconds), clock, 30)
    # It never sleeps past the end only to find that it is too late.
    assert sum(clock.waits) <= 30
    assert clock.now - 1_000 <= 30 + call_seconds


async def test_one_that_is_back_just_in_time_counts() -> None:
    clock = Clock()
    assert await wait(Service(clock, 7.5), clock, 7.5) == "here"
    assert clock.waits == [0.5, 1, 2, 4]


async def test_another_error_is_no_outage() -> None:
    clock = Clock()
    service = Service(clock, 60, error=ValueError)
    with pytest.raises(ValueError, match="away"):
        await wait(service, clock, 60)
    assert service.calls == 1
