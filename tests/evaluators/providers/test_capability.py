"""What a model refuses is learned once, from the provider's own words."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from evaluators.calling.judge_client import JudgeClient
from evaluators.evaluate import evaluate
from evaluators.evaluation import Evaluation
from evaluators.providers.capability import Capabilities
from tests.evaluators.builders import GOOD, make_client, make_message, now
from tests.evaluators.fake_openai import FakeServer, Received, Reply, completion, failure, serving

USE_OTHER = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
)


@pytest.mark.parametrize(
    ("named", "message", "sent", "learned"),
    [
        ("max_tokens", USE_OTHER, ["temperature", "max_tokens"], "max_tokens"),
        (None, USE_OTHER, ["temperature", "max_tokens"], "max_tokens"),
        (None, "Unrecognized request argument supplied: max_completion_tokens", ["max_completion_tokens"],
         "max_completion_tokens"),
        ("temperature", "Unsupported value: 'temperature' does not support 0.2 with this model.", ["temperature"],
         "temperature"),
        (None, "`temperature` and `top_p` cannot both be specified", ["top_p", "temperature"], "top_p"),
        (None, '[{"loc": ["body", "top_p"], "msg": "extra fields not permitted"}]', ["top_p"], "top_p"),
        ("response_format", "Invalid parameter: 'response_format' of type 'json_schema'", [], "schema"),
        (None, "This response_format type is unavailable now", ["temperature"], "schema"),
        (None, "json_schema is not supported by this backend", [], "schema"),
        ("messages", "max_tokens of the past", ["max_tokens"], None),
        ("max_tokens", "max_tokens is too large: 20000. This model supports at most 16384", ["max_tokens"], None),
        (None, "This model's maximum context length is 8192 tokens, max_tokens is 4000", ["max_tokens"], None),
        ("temperature", "temperature must be between 0 and 1", ["temperature"], None),
        (None, "Something is wrong", ["temperature"], None),
        (None, "my_temperature_x is wrong", ["temperature"], None),
    ],
)  # fmt: skip
def test_learning(named: str | None, message: str, sent: list[str], learned: str | None) -> None:
    known = Capabilities()
    assert known.learn(named=named, message=message, sent=sent, mode="schema") == learned
    assert bool(known.refused or known.refused_modes) == (learned is not None)


def test_the_ladder_goes_down_and_ends_at_the_prompt() -> None:
    known = Capabilities()
    assert known.mode("schema") == "schema"
    assert known.learn(named=None, message="no json_schema", sent=[], mode="schema") == "schema"
    assert known.mode("schema") == "tool"
    assert known.learn(named="tools", message="unknown", sent=[], mode="tool") == "tool"
    assert known.mode("schema") == "prompt"
    assert known.learn(named=None, message="response_format, tools, whatever", sent=[], mode="prompt") is None
    assert Capabilities().mode("tool") == "tool"


def picky(*refused: str) -> FakeServer:
    """An endpoint that knows none of these keys of a request."""

    def choose(received: Received) -> Reply:
        for name in refused:
            if name in received.body:
                return Reply(
                    400, failure(f"Unsupported parameter: '{name}'", param=name, code="unsupported_parameter")
                )
        if "tools" in received.body:
            call = {"id": "1", "type": "function", "function": {"name": "report_assessment", "arguments": GOOD}}
            return Reply(body=completion(None, tool_calls=[call], finish="tool_calls"))
        return Reply(body=completion(GOOD))

    return FakeServer(choose=choose)


async def ask(judge: JudgeClient, times: int = 1) -> Evaluation:
    evaluations = [await evaluate(make_message(), judge, now=now) for _ in range(times)]
    return evaluations[-1]


def sent_keys(received: Received) -> set[str]:
    return set(received.body) - {"model", "messages"}


async def test_a_parameter_is_refused_once_only() -> None:
    async with serving(picky("temperature", "max_completion_tokens")) as server:
        judge = make_client(server.url, temperature=0.2)
        first, second = await ask(judge), await ask(judge)
        await judge.aclose()
    assert [sent_keys(received) for received in server.received] == [
        {"temperature", "max_completion_tokens", "response_format"},
        {"max_completion_tokens", "response_format"},
        {"max_tokens", "response_format"},
        {"max_tokens", "response_format"},
    ]
    assert (first.outcome, first.attempts) == ("ok", 3)
    assert first.parameters == {"mode": "schema"}
    assert (second.outcome, second.attempts) == ("ok", 1)
    assert first.epoch == second.epoch


async def test_another_effective_parameter_is_another_epoch() -> None:
    epochs = set()
    for refused in ((), ("temperature",), ("response_format",), ("response_format", "tools")):
        async with serving(picky(*refused)) as server:
            judge = make_client(server.url, temperature=0.2)
            epochs.add((await ask(judge)).epoch)
            await judge.aclose()
    assert len(epochs) == 4


async def test_another_name_for_the_output_limit_is_the_same_epoch() -> None:
    epochs = set()
    for refused in ((), ("max_completion_tokens",)):
        async with serving(picky(*refused)) as server:
            judge = make_client(server.url)
            epochs.add((await ask(judge)).epoch)
            await judge.aclose()
    assert len(epochs) == 1


@pytest.mark.parametrize(
    ("refused", "key"),
    [((), "response_format"), (("response_format",), "tools"), (("response_format", "tools"), None)],
)
async def test_the_rungs_give_the_same_answers(refused: tuple[str, ...], key: str | None) -> None:
    async with serving(picky(*refused)) as server:
        judge = make_client(server.url)
        evaluation = await ask(judge)
        await judge.aclose()
    assert (evaluation.outcome, [answer.answer for answer in evaluation.answers]) == ("ok", ["yes", "no"])
    assert sent_keys(server.received[-1]) - {"max_completion_tokens", "tool_choice"} == ({key} if key else set())


async def test_text_on_the_tool_rung_is_read_as_text_and_two_calls_are_two_objects() -> None:
    def call(arguments: str) -> dict[str, Any]:
        return {"id": "1", "type": "function", "function": {"name": "report_assessment", "arguments": arguments}}

    refused = Reply(400, failure("no such thing", param="response_format"))
    for reply, outcome in [
        (completion(f"```json\n{GOOD}\n```"), "ok"),
        (completion(None, tool_calls=[call(GOOD), call(GOOD)]), "unparsed"),
        (completion(None, tool_calls=[{"id": "1", "function": {"arguments": json.loads(GOOD)}}]), "ok"),
    ]:
        async with serving(FakeServer([refused, Reply(body=reply)])) as server:
            judge = make_client(server.url)
            assert (await ask(judge)).outcome == outcome
            await judge.aclose()


async def test_many_calls_at_once_learn_the_same_and_all_succeed() -> None:
    async with serving(picky("top_p", "max_completion_tokens", "response_format")) as server:
        judge = make_client(server.url, temperature=0.2, top_p=0.9)
        evaluations = await asyncio.gather(*(evaluate(make_message(), judge, now=now) for _ in range(20)))
        after = len(server.received)
        await ask(judge)
        await judge.aclose()
    assert {evaluation.outcome for evaluation in evaluations} == {"ok"}
    assert len({evaluation.epoch for evaluation in evaluations}) == 1
    assert len(server.received) == after + 1
    assert sent_keys(server.received[-1]) == {"temperature", "max_tokens", "tools", "tool_choice"}


async def test_a_parameter_that_cannot_be_left_out_is_an_error_after_one_call() -> None:
    async with serving(FakeServer([Reply(400, failure("bad", param="messages"))])) as server:
        judge = make_client(server.url)
        evaluation = await ask(judge)
        await judge.aclose()
    assert (evaluation.outcome, evaluation.reason, evaluation.attempts) == ("error", "bad_request", 1)
