"""An LLM asked for something other than a verdict: one JSON object back, with a judge's retries and limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluators.calling.judge_calls import Asked
from evaluators.calling.judge_client import JudgeClient
from evaluators.calling.tokens import input_was_cut
from evaluators.errors import ProviderError
from evaluators.price import cost_dollars
from evaluators.provider import LADDER, Completion, JudgeRequest
from evaluators.replies.extract import NoObject, find_object, is_refusal


class SideCallError(Exception):
    """No object came back; `reason` is one word for why, `again` whether other words may get one."""

    def __init__(self, reason: str, *, again: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again


@dataclass(frozen=True)
class SideCall:
    """What is asked: the two messages, the schema of the reply, and how long it may be in tokens.

    `key` is the idempotency key: the same for the same words.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    key: str
    max_output_tokens: int


async def ask_for_object(call: SideCall, judge: JudgeClient, *, now: Callable[[], datetime]) -> Mapping[str, object]:
    """The object that the LLM replies with.

    Raises SideCallError: `refused`, `truncated`, `unparsed` (other words may do better), `budget`, or the reason of
    a ProviderError, where asking again is no use.
    """
    if not judge.gate.budget.take(now(), 1):
        raise SideCallError("budget", again=False)
    asked = Asked(judge, now)
    request = _request(call, judge)
    kept = None if judge.cache is None else await asyncio.to_thread(judge.cache.get, request)
    try:
        completion = kept or await asked.complete(request)
        if completion.stop == "length":
            completion = await asked.with_larger_budget(request, completion)
    except ProviderError as error:
        raise SideCallError(error.reason, again=False) from None
    finally:
        if asked.usage is not None:
            judge.gate.budget.spend(cost_dollars(asked.usage, judge.card.price))
    found = _object(completion)
    if judge.cache is not None and kept is None:
        await asyncio.to_thread(judge.cache.put, request, completion)
    return found


def _object(completion: Completion) -> Mapping[str, object]:
    if completion.refused or completion.stop == "refused":
        raise SideCallError("refused", again=True)
    if input_was_cut(completion):
        raise SideCallError("truncated", again=False)
    try:
        return find_object(completion.text, complete_only=completion.stop == "length")
    except NoObject as fault:
        if completion.stop == "length":
            raise SideCallError("truncated", again=True) from None
        refused = fault.reason in ("empty", "no_object") and is_refusal(completion.text)
        raise SideCallError("refused" if refused else "unparsed", again=True) from None


def _request(call: SideCall, judge: JudgeClient) -> JudgeRequest:
    config = judge.config
    parameters = {"temperature": config.temperature, "top_p": config.top_p, "effort": config.effort}
    return JudgeRequest(
        system=call.system,
        user=call.user,
        schema=call.schema,
        idempotency_key=call.key,
        max_output_tokens=call.max_output_tokens,
        parameters={name: value for name, value in parameters.items() if value is not None},
        mode=max(config.output_mode, judge.card.mode, key=LADDER.index),
    )
