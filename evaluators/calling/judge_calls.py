"""The calls of one evaluation: retries, a larger budget for what was cut off, and what all of it took."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from evaluators.calling.breaker import is_outage
from evaluators.calling.call_split import Part, failed_reply
from evaluators.calling.judge_client import JudgeClient
from evaluators.calling.retry import Retries
from evaluators.calling.tokens import input_was_cut, together
from evaluators.errors import OutOfService, ProviderError, TimedOut
from evaluators.evaluation import Evaluation, Usage
from evaluators.judges.judge_config import JudgeConfig, epoch_of
from evaluators.price import cost_dollars
from evaluators.provider import Completion, JudgeRequest
from evaluators.replies.parse import ParsedReply, parse_reply

_LOG = logging.getLogger(__name__)

ROUNDS_BESIDE_SUCCESSES = 2
"""How often an evaluation that met an outage starts its attempts anew although others got through meanwhile."""

LARGER_BUDGET = 4
"""How many times the budget an answer that was cut off gets at its second and last try."""


@dataclass
class Asked:
    """The requests of one evaluation, counted and timed."""

    judge: JudgeClient
    now: Callable[[], datetime]
    requests: int = 0
    latency_seconds: float | None = None
    usage: Usage | None = None
    answered: list[Completion] = field(default_factory=list)

    async def reply(self, part: Part, request: JudgeRequest) -> ParsedReply:
        """What one call says; a call that fails for good is a reply as well."""
        try:
            completion = await self._kept(request) or await self.complete(request)
            reply = _read(completion, part, self.judge.config)
            if reply.outcome == "truncated" and reply.reason == "output":
                completion = await self.with_larger_budget(request, completion)
                reply = _read(completion, part, self.judge.config)
        except ProviderError as error:
            return failed_reply(part, error.reason)
        except Exception as error:
            # A fault of ours or of an SDK: one arm's evaluation fails, not the stream. The message might hold text.
            _LOG.error("asking the judge failed unexpectedly: %s", type(error).__name__)
            return failed_reply(part, "internal")
        self.answered.append(completion)
        if self.judge.cache is not None and reply.outcome == "ok" and completion.requests:
            await asyncio.to_thread(self.judge.cache.put, request, completion)
        return reply

    async def complete(self, request: JudgeRequest) -> Completion:
        """A completion, after retries; an outage that is waited out starts them anew."""
        breaker = self.judge.gate.breaker
        retries = Retries(self.judge.config.attempts, self.judge.backoff, self.now, self.judge.sleep)
        failed_beside_successes = 0
        while True:
            was_open, outages = breaker.is_open, breaker.outages
            try:
                return await retries.call(lambda: self._once(request))
            except ProviderError as error:
                if not is_outage(error):
                    raise
                if not breaker.is_waited_out:
                    # Where others got through meanwhile the outage is over, or it is about this arm alone.
                    failed_beside_successes += 1
                    met_outage = was_open or breaker.outages != outages
                    if breaker.is_open or not met_outage or failed_beside_successes > ROUNDS_BESIDE_SUCCESSES:
                        raise

    async def with_larger_budget(self, request: JudgeRequest, cut: Completion) -> Completion:
        """A second try at an answer that was cut off; the cut one where that gives none."""
        # Another request, so another key: a provider that keeps replies by key would send the cut one again.
        larger = replace(
            request,
            max_output_tokens=request.max_output_tokens * LARGER_BUDGET,
            idempotency_key=f"{request.idempotency_key}:larger",
        )
        try:
            return await self.complete(larger)
        except ProviderError:
            return cut

    def noted(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation with who answered and what it took, counted against the budget."""
        judge, usage = self.judge, self.usage or Usage()
        judge.gate.budget.spend(cost_dollars(usage, judge.card.price))
        update: dict[str, object] = {
            "attempts": self.requests,
            "latency_seconds": self.latency_seconds,
            "usage": usage,
        }
        if self.answered:
            # Calls that different models answered are an evaluation by all of them together.
            model = "+".join(sorted({one.served_model or "" for one in self.answered})) or None
            effective = _together([one.parameters for one in self.answered])
            update["judge"] = evaluation.judge.model_copy(update={"served_model": model})
            update["parameters"] = effective
            update["request_ids"] = tuple(
                completion.request_id for completion in self.answered if completion.request_id is not None
            )
            update["epoch"] = epoch_of(judge.system_id, model, effective)
        return evaluation.model_copy(update=update)

    async def _kept(self, request: JudgeRequest) -> Completion | None:
        if self.judge.cache is None:
            return None
        completion = await asyncio.to_thread(self.judge.cache.get, request)
        if completion is not None:
            self.usage = completion.usage if self.usage is None else together(self.usage, completion.usage)
        return completion

    async def _once(self, request: JudgeRequest) -> Completion:
        gate = self.judge.gate
        await gate.rates.wait(request.tokens)
        async with gate.concurrency.slot() as number:
            if not await gate.breaker.admit():
                raise OutOfService("the judge is out of service; ask again when it is back", requests=0)
            started = self.judge.monotonic()
            try:
                completion = await self._within_time(request)
            except ProviderError as error:
                gate.failed(error, number)
                self._count(error.requests, started)
                raise
            except BaseException:
                gate.breaker.abandoned()
                self._count(1, started)
                raise
            gate.succeeded()
            self._count(completion.requests, started)
        self.usage = completion.usage if self.usage is None else together(self.usage, completion.usage)
        return completion

    async def _within_time(self, request: JudgeRequest) -> Completion:
        limit = self.judge.config.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                return await self.judge.provider.complete(request)
        except TimeoutError:
            raise TimedOut(f"the judge gave no complete reply within {limit:g} s; raise timeout_seconds") from None

    def _count(self, requests: int, started: float) -> None:
        self.requests += requests
        self.latency_seconds = self.judge.monotonic() - started


def _read(completion: Completion, part: Part, config: JudgeConfig) -> ParsedReply:
    if input_was_cut(completion):
        return ParsedReply("truncated", "input")
    return parse_reply(
        completion.text,
        part.questions,
        stop=completion.stop,
        refused=completion.refused,
        has_confidence=config.http is None or config.http.has_confidence,
    )


def _together(parameters: Sequence[Mapping[str, float | str]]) -> dict[str, object]:
    """The parameters of several calls: each value once, and as it is where there is only one."""
    values: dict[str, list[float | str]] = {}
    for one in parameters:
        for name, value in sorted(one.items()):
            if value not in values.setdefault(name, []):
                values[name].append(value)
    return {name: one[0] if len(one) == 1 else "+".join(sorted(map(str, one))) for name, one in values.items()}
