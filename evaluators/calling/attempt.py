"""One attempt at a call: through the judge's limits, within its time limit, counted whatever comes of it."""

from __future__ import annotations

import asyncio

from evaluators.calling.call_tally import CallTally
from evaluators.calling.judge_client import JudgeClient
from evaluators.errors import OutOfService, ProviderError, TimedOut
from evaluators.provider import Completion, JudgeRequest


async def attempt_call(request: JudgeRequest, judge: JudgeClient, tally: CallTally) -> Completion:
    """A completion, once the limits let the call through; raises ProviderError where the judge gives none."""
    limits = judge.limits
    await limits.rates.wait(request.tokens)
    async with limits.concurrency.slot() as number:
        if not await limits.breaker.admit():
            raise OutOfService("the judge is out of service; ask again when it is back", requests=0)
        started = judge.monotonic()
        try:
            completion = await _within_time(request, judge)
        except ProviderError as error:
            limits.failed(error, number)
            tally.count(error.requests, judge.monotonic() - started)
            raise
        except BaseException:
            limits.breaker.abandoned()
            tally.count(1, judge.monotonic() - started)
            raise
        limits.succeeded()
        tally.count(completion.requests, judge.monotonic() - started)
    tally.add_usage(completion.usage)
    return completion


async def _within_time(request: JudgeRequest, judge: JudgeClient) -> Completion:
    limit = judge.config.timeout_seconds
    try:
        async with asyncio.timeout(limit):
            return await judge.provider.complete(request)
    except TimeoutError:
        raise TimedOut(f"the judge gave no complete reply within {limit:g} s; raise timeout_seconds") from None
