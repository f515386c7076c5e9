"""The calls of one evaluation: replies kept from before, retries, a larger budget for what was cut off."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from evaluators.calling.attempt import attempt_call
from evaluators.calling.breaker import is_outage
from evaluators.calling.call_split import CallPart
from evaluators.calling.call_tally import CallTally
from evaluators.calling.judge_client import JudgeClient
from evaluators.calling.retry import Retries
from evaluators.errors import ProviderError
from evaluators.provider import Completion, JudgeRequest
from evaluators.replies.parse import ParsedReply, parse_completion

_LOG = logging.getLogger(__name__)

ROUNDS_BESIDE_SUCCESSES = 2
"""How often an evaluation that met an outage starts its attempts anew although others got through meanwhile."""

LARGER_BUDGET = 4
"""How many times the budget an answer that was cut off gets at its second and last try."""


@dataclass(frozen=True)
class JudgeCalls:
    """The calls of one evaluation to one judge, counted in `tally`."""

    judge: JudgeClient
    now: Callable[[], datetime]
    tally: CallTally = field(default_factory=CallTally)

    async def reply(self, part: CallPart, request: JudgeRequest) -> ParsedReply:
        """What one call says; a call that fails for good is a reply as well."""
        shape = self.judge.config.http
        has_confidence = shape is None or shape.has_confidence
        try:
            completion = await self.complete(request)
            reply = parse_completion(completion, part.questions, has_confidence=has_confidence)
            if reply.outcome == "truncated" and reply.reason == "output":
                completion = await self.with_larger_budget(request, completion)
                reply = parse_completion(completion, part.questions, has_confidence=has_confidence)
        except ProviderError as error:
            return _failed(part, error.reason)
        except Exception as error:
            # A fault of ours or of an SDK: one arm's evaluation fails, not the stream. The message might hold text.
            _LOG.error("asking the judge failed unexpectedly: %s", type(error).__name__)
            return _failed(part, "internal")
        self.tally.answered.append(completion)
        if reply.outcome == "ok":
            await self.keep(request, completion)
        return reply

    async def complete(self, request: JudgeRequest) -> Completion:
        """The completion kept from before, else one that is asked for; raises ProviderError where there is none."""
        cache = self.judge.cache
        kept = None if cache is None else await asyncio.to_thread(cache.get, request)
        if kept is None:
            return await self._asked(request)
        self.tally.add_usage(kept.usage)
        return kept

    async def with_larger_budget(self, request: JudgeRequest, cut: Completion) -> Completion:
        """A second try at an answer that was cut off; the cut one where that gives none."""
        # Another request, so another key: a provider that keeps replies by key would send the cut one again.
        larger = replace(
            request,
            max_output_tokens=request.max_output_tokens * LARGER_BUDGET,
            idempotency_key=f"{request.idempotency_key}:larger",
        )
        try:
            return await self._asked(larger)
        except ProviderError:
            return cut

    async def keep(self, request: JudgeRequest, completion: Completion) -> None:
        """Keeps a good completion for a run done again, unless it comes from there."""
        if self.judge.cache is not None and completion.requests:
            await asyncio.to_thread(self.judge.cache.put, request, completion)

    async def _asked(self, request: JudgeRequest) -> Completion:
        """A completion, after retries; an outage that is waited out starts them anew."""
        breaker = self.judge.limits.breaker
        retries = Retries(self.judge.config.attempts, self.judge.backoff, self.now, self.judge.sleep)
        failed_beside_successes = 0
        while True:
            was_open, outages = breaker.is_open, breaker.outages
            try:
                return await retries.call(lambda: attempt_call(request, self.judge, self.tally))
            except ProviderError as error:
                if not is_outage(error):
                    raise
                if not breaker.is_waited_out:
                    # Where others got through meanwhile the outage is over, or it is about this arm alone.
                    failed_beside_successes += 1
                    met_outage = was_open or breaker.outages != outages
                    if breaker.is_open or not met_outage or failed_beside_successes > ROUNDS_BESIDE_SUCCESSES:
                        raise


def _failed(part: CallPart, reason: str) -> ParsedReply:
    """What a call comes to that gave no completion."""
    return ParsedReply("error", reason, notes_outcome="error" if part.with_note else None)
