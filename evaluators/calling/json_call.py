"""An LLM asked for something other than a verdict: one JSON object back, with a judge's retries and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluators.calling.judge_calls import JudgeCalls
from evaluators.calling.judge_client import JudgeClient
from evaluators.calling.judge_request import judge_request
from evaluators.errors import ProviderError
from evaluators.provider import Completion
from evaluators.questions.prompt import Prompt
from evaluators.replies.extract import Unreadable, reply_object


class JsonCallError(Exception):
    """No object came back; `reason` is one word for why, `again` whether other words may get one."""

    def __init__(self, reason: str, *, again: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again


@dataclass(frozen=True)
class JsonCall:
    """What is asked: the two messages, the schema of the reply, and how long it may be in tokens.

    `key` is the idempotency key: the same for the same words.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    key: str
    max_output_tokens: int


async def ask_for_object(call: JsonCall, judge: JudgeClient, *, now: Callable[[], datetime]) -> Mapping[str, object]:
    """The object that the LLM replies with.

    Raises JsonCallError: `refused`, `truncated`, `unparsed` (other words may do better), `budget`, or the reason of
    a ProviderError, where asking again is no use.
    """
    if not judge.limits.budget.take(now(), 1):
        raise JsonCallError("budget", again=False)
    calls = JudgeCalls(judge, now)
    request = judge_request(
        judge,
        Prompt(call.system, call.user),
        schema=call.schema,
        idempotency_key=call.key,
        max_output_tokens=call.max_output_tokens,
    )
    try:
        completion = await calls.complete(request)
        if completion.stop == "length":
            completion = await calls.with_larger_budget(request, completion)
    except ProviderError as error:
        raise JsonCallError(error.reason, again=False) from None
    finally:
        judge.spend(calls.tally.usage)
    reply = _object(completion)
    await calls.keep(request, completion)
    return reply


def _object(completion: Completion) -> Mapping[str, object]:
    if completion.input_was_cut and completion.stop != "refused":
        raise JsonCallError("truncated", again=False)
    try:
        return reply_object(completion.text, stop=completion.stop, refused=completion.refused)
    except Unreadable as unreadable:
        raise JsonCallError(unreadable.outcome, again=True) from None
