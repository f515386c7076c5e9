"""Limits, budget and breaker, each alone and around real calls; a fake clock waits."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from evaluators.calling.breaker import Breaker
from evaluators.calling.budget import DailyBudget
from evaluators.calling.concurrency import AdaptiveConcurrency
from evaluators.calling.judge_client import JudgeClient, make_judge
from evaluators.calling.judge_limits import make_limits
from evaluators.calling.rate_limits import RateLimits
from evaluators.errors import AuthError, JudgeConfigError, Overloaded, RateLimited, Unreachable
from evaluators.evaluate import evaluate
from evaluators.evaluation import Usage
from evaluators.judges.judge_config import JudgeConfig, Limits
from evaluators.price import Price
from evaluators.provider import Completion, JudgeRequest
from tests.evaluators.builders import GOOD, NOON, make_message, now
from tests.evaluators.clock import Clock

USAGE = Usage(input_tokens=1000, output_tokens=100)


class Scripted:
    """A provider that does what a function says, call by call."""

    def __init__(self, act: Callable[[int], Exception | None], seconds: float = 0.0) -> None:
        self.act, self.seconds, self.asked, self.most, self.running = act, seconds, 0, 0, 0

    async def complete(self, request: JudgeRequest) -> Completion:
        self.asked += 1
        number = self.asked
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.running -= 1
        error = self.act(number)
        if error is not None:
            raise error
        return Completion(text=GOOD, stop="stop", usage=USAGE, characters_sent=request.characters)

    async def aclose(self) -> None:
        pass


def client(provider: Scripted, clock: Clock, *, patient: bool = False, **fields: object) -> JudgeClient:
    config = JudgeConfig.model_validate({"model": "x", "base_url": "http://127.0.0.1:1", **fields})
    limits = make_limits(config, patient=patient, monotonic=clock, sleep=clock.sleep)
    return replace(make_judge(config, None), provider=provider, limits=limits, sleep=clock.sleep, monotonic=clock)


def breaker(clock: Clock, patience: float = math.inf, threshold: int = 3) -> Breaker:
    return Breaker(threshold=threshold, patience_seconds=patience, monotonic=clock, sleep=clock.sleep)


async def test_the_breaker_opens_after_failures_in_a_row_and_closes_on_a_success() -> None:
    clock = Clock()
    watched = breaker(clock)
    for error in (Overloaded("x"), Unreachable("x"), AuthError("x"), Overloaded("x"), RateLimited("x")):
        assert await watched.admit()
        watched.failed(error)
        assert not watched.is_open
    for _ in range(3):
        watched.failed(Unreachable("x"))
    assert watched.is_open
    assert await watched.admit()
    assert clock.seconds >= 1
    watched.succeeded()
    assert not watched.is_open
    assert watched.outages == 1


async def test_one_probe_at_a_time_ever_more_rarely() -> None:
    clock = Clock()
    watched = breaker(clock, threshold=1)
    watched.failed(Overloaded("x"))
    times = []
    for _ in range(8):
        assert await watched.admit()
        times.append(clock.seconds)
        watched.failed(Overloaded("x"))
    waits = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert waits == [2, 4, 8, 16, 30, 30, 30]
    assert await watched.admit()
    second = asyncio.create_task(watched.admit())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not second.done()
    watched.abandoned()
    assert await second


async def test_patience_ends() -> None:
    clock = Clock()
    watched = breaker(clock, patience=10, threshold=1)
    watched.failed(Overloaded("x"))
    while await watched.admit():
        watched.failed(Overloaded("x"))
    assert 10 <= clock.seconds < 20
    assert not await watched.admit()
    never = breaker(clock, patience=0, threshold=1)
    never.failed(Overloaded("x"))
    assert not never.is_open


async def test_an_outage_of_five_minutes_loses_nothing_and_doubles_nothing() -> None:
    clock = Clock()
    provider = Scripted(lambda _: Unreachable("away") if 50 < clock.seconds < 350 else None)
    judge = client(provider, clock, patient=True, concurrency=4)
    evaluations = []
    for number in range(40):
        clock.seconds = max(clock.seconds, number * 2.0)
        batch = [make_message(repeat=3 * number + part) for part in range(3)]
        evaluations += await asyncio.gather(*(evaluate(message, judge, now=now) for message in batch))
    assert {evaluation.outcome for evaluation in evaluations} == {"ok"}
    assert len({evaluation.evaluation_id for evaluation in evaluations}) == 120
    assert clock.seconds > 350
    # While it was away there were few calls: probes, not a storm.
    assert provider.asked - 120 < 40


async def test_without_patience_an_outage_is_an_error_after_the_attempts() -> None:
    clock = Clock()
    provider = Scripted(lambda _: Unreachable("away"))
    judge = client(provider, clock, attempts=4)
    evaluations = [await evaluate(make_message(), judge, now=now) for _ in range(3)]
    assert [(evaluation.outcome, evaluation.reason, evaluation.attempts) for evaluation in evaluations] == [
        ("error", "unreachable", 4)
    ] * 3


async def test_an_outage_is_waited_out_for_the_configured_time_once() -> None:
    clock = Clock()
    provider = Scripted(lambda _: Unreachable("away"))
    judge = client(provider, clock, attempts=2, limits={"outage_seconds": 60})
    first = await evaluate(make_message(), judge, now=now)
    assert (first.outcome, 60 <= clock.seconds < 120) == ("error", True)
    asked, seconds = provider.asked, clock.seconds
    later = [await evaluate(make_message(), judge, now=now) for _ in range(5)]
    assert {(evaluation.outcome, evaluation.reason, evaluation.attempts) for evaluation in later} == {
        ("error", "outage", 0)
    }
    assert (provider.asked, clock.seconds) == (asked, seconds)


@pytest.mark.parametrize("error", [AuthError("no"), RateLimited("no")])
async def test_what_is_no_outage_never_opens(error: Exception) -> None:
    clock = Clock()
    judge = client(Scripted(lambda _: error), clock, patient=True)
    evaluations = [await evaluate(make_message(), judge, now=now) for _ in range(3)]
    assert {evaluation.outcome for evaluation in evaluations} == {"error"}
    assert not judge.limits.breaker.is_open


async def test_an_arm_that_always_breaks_the_judge_does_not_hold_up_the_others() -> None:
    clock = Clock()

    class Picky(Scripted):
        async def complete(self, request: JudgeRequest) -> Completion:
            if "poison" in request.user:
                self.asked += 1
                await asyncio.sleep(0)
                raise Overloaded("500")
            return await super().complete(request)

    judge = client(Picky(lambda _: None), clock, patient=True, concurrency=4)
    poison = make_message(variant={"turns": [{"speaker": "agent", "text": "poison"}]})

    async def others() -> list[str]:
        outcomes: list[str] = []
        for _ in range(200):
            outcomes.append((await evaluate(make_message(), judge, now=now)).outcome)
            await clock.sleep(0.5)
        return outcomes

    bad, good = await asyncio.gather(evaluate(poison, judge, now=now), others())
    assert (bad.outcome, bad.reason, set(good)) == ("error", "overloaded", {"ok"})


async def test_concurrency_finds_what_the_provider_takes() -> None:
    clock = Clock()
    provider = Scripted(lambda _: RateLimited("too many") if provider.running >= 8 else None, seconds=0.001)
    judge = client(provider, clock, concurrency=64, attempts=20)
    evaluations = await asyncio.gather(*(evaluate(make_message(repeat=n), judge, now=now) for n in range(400)))
    assert {evaluation.outcome for evaluation in evaluations} == {"ok"}
    assert 4 <= judge.limits.concurrency.limit <= 16


async def test_a_burst_of_refusals_is_one_cut() -> None:
    limit = AdaptiveConcurrency(100)
    numbers = []
    for _ in range(50):
        async with limit.slot() as number:
            numbers.append(number)
    for number in numbers:
        limit.pushed_back(number)
    assert limit.limit == 70
    async with limit.slot() as number:
        limit.pushed_back(number)
    assert limit.limit == 49
    for _ in range(10_000):
        limit.succeeded()
    assert limit.limit == 100


async def test_places_are_never_lost_whoever_is_cancelled() -> None:
    limit = AdaptiveConcurrency(2)

    async def hold() -> None:
        async with limit.slot():
            await asyncio.sleep(0.001)

    for round_ in range(30):
        tasks = [asyncio.create_task(hold()) for _ in range(10)]
        await asyncio.sleep(0.0003 * (round_ % 7))
        for task in tasks[round_ % 3 :: 2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    async with asyncio.timeout(1), limit.slot(), limit.slot():
        pass


async def test_at_most_so_many_calls_at_once() -> None:
    provider = Scripted(lambda _: None, seconds=0.001)
    judge = client(provider, Clock(), concurrency=3)
    await asyncio.gather(*(evaluate(make_message(repeat=n), judge, now=now) for n in range(20)))
    assert provider.most == 3


async def test_rates_hold_calls_back() -> None:
    loop = asyncio.get_running_loop()
    for rates, calls, tokens in [
        (RateLimits(requests_per_minute=20, period_seconds=0.2), 40, 1),
        (RateLimits(tokens_per_minute=2000, period_seconds=0.2), 40, 100),
        (RateLimits(tokens_per_minute=10, period_seconds=0.1), 3, 10_000),
    ]:
        started = loop.time()
        for _ in range(calls):
            await rates.wait(tokens)
        assert 0.15 < loop.time() - started < 1.0
    started = loop.time()
    for _ in range(100):
        await RateLimits().wait(10**9)
    assert loop.time() - started < 0.1


def test_a_days_budget() -> None:
    budget = DailyBudget(calls_per_day=2, dollars_per_day=1.0)
    assert [budget.take(NOON) for _ in range(3)] == [True, True, False]
    assert budget.take(NOON + timedelta(days=1))
    budget.spend(None)
    assert budget.take(NOON + timedelta(days=1))
    later = NOON + timedelta(days=2)
    assert budget.take(later)
    budget.spend(1.0)
    assert not budget.take(later)
    assert budget.take(datetime(2026, 12, 3, 0, 0, 1, tzinfo=UTC))


async def test_what_passes_the_budget_is_skipped_and_not_asked() -> None:
    provider = Scripted(lambda _: None)
    judge = client(provider, Clock(), limits={"calls_per_day": 2})
    evaluations = [await evaluate(make_message(), judge, now=now) for _ in range(4)]
    assert [(evaluation.outcome, evaluation.reason) for evaluation in evaluations] == [("ok", None)] * 2 + [
        ("skipped", "budget")
    ] * 2
    assert provider.asked == 2
    price = {"input": 1000.0, "output": 1000.0}
    judge = client(Scripted(lambda _: None), Clock(), price=price, limits={"dollars_per_day": 1.2})
    evaluations = [await evaluate(make_message(), judge, now=now) for _ in range(4)]
    assert [evaluation.outcome for evaluation in evaluations] == ["ok", "ok", "skipped", "skipped"]


def test_a_budget_in_dollars_needs_a_price() -> None:
    limits = Limits(dollars_per_day=5)
    with pytest.raises(JudgeConfigError, match="price"):
        make_judge(JudgeConfig(model="x", base_url="http://127.0.0.1:1", limits=limits), None)
    priced = JudgeConfig(model="x", base_url="http://127.0.0.1:1", limits=limits, price=Price(input=1, output=1))
    assert make_judge(priced, None).limits.budget.take(NOON)


async def test_a_cancelled_call_leaves_nothing_behind() -> None:
    clock = Clock()
    provider = Scripted(lambda _: None, seconds=10)
    judge = client(provider, clock, concurrency=1)
    task = asyncio.create_task(evaluate(make_message(), judge, now=now))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    provider.seconds = 0
    assert (await evaluate(make_message(), judge, now=now)).outcome == "ok"


@pytest.mark.parametrize(
    ("patient", "limits", "waits"),
    [
        (False, {}, 0.0),
        (False, {"outage_seconds": 60}, 60.0),
        (True, {}, math.inf),
        (True, {"outage_seconds": 60}, 60.0),
        (True, {"outage_seconds": 0}, 0.0),
    ],
)
async def test_a_stream_waits_for_ever_unless_it_is_told_how_long(
    patient: bool, limits: dict[str, float], waits: float
) -> None:
    clock = Clock()
    config = JudgeConfig.model_validate({"model": "x", "attempts": 1, "limits": limits})
    watched = make_limits(config, patient=patient, monotonic=clock, sleep=clock.sleep).breaker
    watched.failed(Unreachable("x"))
    assert watched.is_open == (waits > 0)
    if waits:
        await clock.sleep(min(waits, 1e9) - 1)
        assert watched.is_waited_out
        await clock.sleep(2)
        assert watched.is_waited_out == (waits == math.inf)


async def test_the_pause_and_its_end_are_logged_without_what_was_asked(caplog: pytest.LogCaptureFixture) -> None:
    limits = make_limits(JudgeConfig(model="m-1", attempts=2), patient=True)
    for number in range(3):
        limits.failed(Overloaded("xylophone"), number)
    limits.succeeded()
    limits.succeeded()
    assert [record.getMessage() for record in caplog.records] == [
        "the judge m-1 is out of service (overloaded): it is asked again now and then",
        "the judge m-1 answers again",
    ]
