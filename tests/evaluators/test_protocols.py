"""The same matrix for each provider's real client against a loopback server that speaks its protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from evaluators.calling.judge_client import JudgeClient
from evaluators.evaluate import evaluate
from evaluators.evaluation import Evaluation
from tests.evaluators.builders import GOOD, KEY, SECRET, Sleeps, make_client, make_message, now, verdicts
from tests.evaluators.fake_openai import FakeServer, Received, Reply, serving
from tests.evaluators.protocols import ANTHROPIC, BEDROCK, MODELS, OPENAI, SHAPE, Protocol, service_reply


@pytest.fixture(autouse=True)
def _aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")


@pytest.fixture(params=MODELS, ids=lambda protocol: str(protocol.name))
def protocol(request: pytest.FixtureRequest) -> Protocol:
    chosen: Protocol = request.param
    return chosen


@dataclass
class Run:
    server: FakeServer
    sleeps: Sleeps
    evaluation: Evaluation


@asynccontextmanager
async def judging(
    protocol: Protocol, server: FakeServer, sleeps: Sleeps, **config: Any
) -> AsyncIterator[JudgeClient]:
    async with serving(server):
        url = f"{server.url}/v1" if protocol is OPENAI else server.url
        judge = make_client(
            server.url, sleeps, **{"provider": protocol.name, "base_url": url, **protocol.config, **config}
        )
        try:
            yield judge
        finally:
            await judge.aclose()


async def run(protocol: Protocol, *replies: Reply, **config: Any) -> Run:
    server, sleeps = FakeServer(list(replies)), Sleeps()
    async with judging(protocol, server, sleeps, **config) as judge:
        return Run(server, sleeps, await evaluate(make_message(), judge, now=now))


async def test_success(protocol: Protocol) -> None:
    done = await run(protocol, protocol.reply(GOOD, "stop", True))
    evaluation = done.evaluation
    assert (evaluation.outcome, evaluation.attempts) == ("ok", 1)
    assert verdicts(evaluation.answers) == [("greeting", "yes", 90.0), ("empathy", "no", 60.0)]
    assert (evaluation.positive_score, evaluation.improvement_score) == (70, 30)
    assert evaluation.judge.served_model == "served-1"
    # Providers disagree on what is inside what; the same use is the same.
    assert (evaluation.usage.input_tokens, evaluation.usage.cached_tokens, evaluation.usage.output_tokens) == (
        1000,
        400,
        90,
    )
    (request,) = done.server.received
    assert request.path == protocol.path
    assert request.headers["Idempotency-Key"] == evaluation.evaluation_id
    assert protocol.schema_key in request.body
    assert SECRET in str(request.body)
    assert "temperature" not in str(request.body)
    assert KEY not in str(request.body)


async def test_the_same_run_gives_the_same_answers_whichever_protocol() -> None:
    evaluations = [(await run(protocol, protocol.reply(GOOD, "stop", True))).evaluation for protocol in MODELS]
    assert (
        len(
            {
                evaluation.model_dump_json(include={"answers", "positive_score", "notes", "usage"})
                for evaluation in evaluations
            }
        )
        == 1
    )


async def test_unknown_usage_stays_unknown(protocol: Protocol) -> None:
    evaluation = (await run(protocol, protocol.reply(GOOD, "stop", False))).evaluation
    assert evaluation.outcome == "ok"
    assert set(evaluation.usage.model_dump().values()) == {None}


@pytest.mark.parametrize(
    ("text", "stop", "outcome", "reason"),
    [
        (f"```json\n{GOOD}\n```", "stop", "ok", None),
        (f"<think>maybe</think>{GOOD}", "stop", "ok", None),
        ("I'm sorry, I can't assess this agent.", "stop", "refused", "refusal"),
        ("", "refused", "refused", "refusal"),
        (GOOD[:50], "refused", "refused", "refusal"),
        ("", "stop", "unparsed", "empty"),
        ("Yes, all of it.", "stop", "unparsed", "no_object"),
    ],
)
async def test_texts(protocol: Protocol, text: str, stop: str, outcome: str, reason: str | None) -> None:
    done = await run(protocol, protocol.reply(text, stop, True))
    assert (done.evaluation.outcome, done.evaluation.reason) == (outcome, reason)
    assert len(done.server.received) == 1


async def test_truncation(protocol: Protocol) -> None:
    cut = protocol.reply(GOOD[:40], "length", True)
    done = await run(protocol, cut, protocol.reply(GOOD, "stop", True), max_output_tokens=100)
    assert (done.evaluation.outcome, done.evaluation.attempts) == ("ok", 2)
    assert [protocol.limit(request.body) for request in done.server.received] == [100, 400]
    assert (await run(protocol, cut)).evaluation.outcome == "truncated"


@pytest.mark.parametrize(
    ("status", "reason", "requests"),
    [
        (400, "bad_request", 1),
        (401, "auth", 1),
        (403, "auth", 1),
        (404, "not_found", 1),
        (408, "overloaded", 3),
        (429, "rate_limited", 3),
        (500, "overloaded", 3),
        (503, "overloaded", 3),
        (529, "overloaded", 3),
    ],
)
async def test_statuses(protocol: Protocol, status: int, reason: str, requests: int) -> None:
    done = await run(protocol, protocol.error(status, f"no: {SECRET}"), attempts=3)
    evaluation = done.evaluation
    assert (evaluation.outcome, evaluation.reason, evaluation.attempts) == ("error", reason, requests)
    assert (len(done.server.received), len(done.sleeps)) == (requests, requests - 1)
    assert len({request.headers["Idempotency-Key"] for request in done.server.received}) == 1
    assert SECRET not in evaluation.model_dump_json()


async def test_retry_after(protocol: Protocol) -> None:
    for header, low, high in [("171", 171, 173), ("Mon, 30 Nov 2026 12:02:51 GMT", 171, 173), ("soon", 0.1, 2)]:
        limited = protocol.error(429, "slow down")
        limited = replace(limited, headers={**limited.headers, "Retry-After": header})
        done = await run(protocol, limited, protocol.reply(GOOD, "stop", True))
        assert (done.evaluation.outcome, done.evaluation.attempts) == ("ok", 2)
        assert low <= done.sleeps[0] <= high


@pytest.mark.parametrize(
    "body", [b"", b"<html>hello</html>", b'{"half', b"[]", b'"text"', b"{}", b'{"output": {"message": null}}']
)
async def test_bodies_that_are_no_reply(protocol: Protocol, body: bytes) -> None:
    done = await run(protocol, Reply(200, body), attempts=2)
    assert (done.evaluation.outcome, done.evaluation.reason, done.evaluation.attempts) == ("error", "bad_reply", 2)


async def test_a_broken_connection(protocol: Protocol) -> None:
    whole = protocol.reply(GOOD, "stop", True)
    done = await run(protocol, replace(whole, cut=True), whole)
    assert (done.evaluation.outcome, done.evaluation.attempts) == ("ok", 2)
    done = await run(protocol, replace(whole, cut=True), attempts=1)
    # botocore reads what came before the break as a whole body.
    assert done.evaluation.reason == ("bad_reply" if protocol is BEDROCK else "unreachable")


async def test_a_slow_body(protocol: Protocol) -> None:
    slow = replace(protocol.reply(GOOD, "stop", True), delay_seconds=0.8)
    done = await run(protocol, slow, timeout_seconds=0.3, attempts=1)
    assert (done.evaluation.outcome, done.evaluation.reason) == ("error", "timeout")


async def test_a_refused_parameter_is_left_out_from_then_on(protocol: Protocol) -> None:
    def choose(received: Received) -> Reply:
        if "temperature" in str(received.body):
            return protocol.error(400, "`temperature` is not supported by this model")
        return protocol.reply(GOOD, "stop", True)

    server = FakeServer(choose=choose)
    async with judging(protocol, server, Sleeps(), temperature=0.5) as judge:
        evaluations = [await evaluate(make_message(), judge, now=now) for _ in range(2)]
    assert [(evaluation.outcome, evaluation.attempts) for evaluation in evaluations] == [("ok", 2), ("ok", 1)]
    assert evaluations[0].epoch == evaluations[1].epoch


WORDS = {
    "openai": "response_format json_schema is not supported",
    "anthropic": "output_config.format: Extra inputs are not permitted",
    "bedrock": "This model doesn't support the outputConfig.textFormat field.",
}


async def test_the_ladder(protocol: Protocol) -> None:
    def choose(received: Received) -> Reply:
        if protocol.schema_key in received.body:
            return protocol.error(400, WORDS[protocol.name])
        if "tool" in str(received.body).lower() and "toolChoice" in str(received.body).replace("tool_c", "toolC"):
            return protocol.error(400, "tool_choice / toolChoice isn't supported: no tools")
        return protocol.reply(GOOD, "stop", True)

    server = FakeServer(choose=choose)
    async with judging(protocol, server, Sleeps()) as judge:
        evaluations = [await evaluate(make_message(), judge, now=now) for _ in range(2)]
    assert [(evaluation.outcome, evaluation.attempts) for evaluation in evaluations] == [("ok", 3), ("ok", 1)]
    plain = server.received[-1].body
    assert not {protocol.schema_key, "tools", "tool_choice", "toolConfig"} & set(plain)


@pytest.mark.parametrize("protocol", [ANTHROPIC, BEDROCK], indirect=True)
async def test_a_forced_tool(protocol: Protocol) -> None:
    for calls, outcome in [(1, "ok"), (2, "unparsed")]:
        reply = protocol.reply("", "stop", True)
        assert isinstance(reply.body, dict)
        if protocol is ANTHROPIC:
            block = {"type": "tool_use", "id": "t", "name": "report_assessment", "input": json.loads(GOOD)}
            body = {**reply.body, "content": [block] * calls, "stop_reason": "tool_use"}
        else:
            use = {"toolUse": {"toolUseId": "t", "name": "report_assessment", "input": json.loads(GOOD)}}
            message = {"role": "assistant", "content": [{"text": "Sure."}, *[use] * calls]}
            body = {**reply.body, "output": {"message": message}, "stopReason": "tool_use"}
        done = await run(protocol, replace(reply, body=body), output_mode="tool")
        assert done.evaluation.outcome == outcome
        assert "report_assessment" in str(done.server.received[0].body)


async def test_anthropics_sampling_parameters_go_with_the_version_that_takes_them() -> None:
    done = await run(ANTHROPIC, ANTHROPIC.reply(GOOD, "stop", True), temperature=0.5, effort="low")
    (request,) = done.server.received
    assert request.body["temperature"] == 0.5
    assert request.headers.getall("anthropic-version") == ["2023-06-01"]
    assert request.body["output_config"]["effort"] == "low"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    plain = await run(ANTHROPIC, ANTHROPIC.reply(GOOD, "stop", True))
    assert plain.server.received[0].headers["anthropic-version"] != "2023-06-01"


async def test_bedrocks_parameters() -> None:
    done = await run(BEDROCK, BEDROCK.reply(GOOD, "stop", True), temperature=0.5, top_p=0.9)
    inference = done.server.received[0].body["inferenceConfig"]
    assert (inference["temperature"], inference["topP"]) == (0.5, 0.9)


async def test_bedrocks_calls_wait_side_by_side() -> None:
    server, sleeps = FakeServer([replace(BEDROCK.reply(GOOD, "stop", True), delay_seconds=0.3)]), Sleeps()
    async with judging(BEDROCK, server, sleeps, concurrency=8) as judge:
        started = asyncio.get_running_loop().time()
        evaluations = await asyncio.gather(*(evaluate(make_message(), judge, now=now) for _ in range(8)))
        assert asyncio.get_running_loop().time() - started < 1.5
    assert {evaluation.outcome for evaluation in evaluations} == {"ok"}
    keys = {request.headers["Idempotency-Key"] for request in server.received}
    assert keys == {evaluations[0].evaluation_id}


HTTP = Protocol("http", {"http": SHAPE}, "/", lambda *_: Reply(), lambda *_: Reply(), lambda _: 0, "")


async def test_an_own_service() -> None:
    done = await run(HTTP, Reply(body=service_reply(GOOD)))
    evaluation = done.evaluation
    assert verdicts(evaluation.answers) == [("greeting", "yes", 90.0), ("empathy", "no", 60.0)]
    assert (evaluation.positive_score, evaluation.improvement_score) == (70, 30)
    assert evaluation.judge.model_dump() == {"provider": "http", "model": "judge-x", "served_model": "served-1"}
    assert (evaluation.usage.input_tokens, evaluation.usage.output_tokens) == (1000, 90)
    (request,) = done.server.received
    assert request.body == {
        "conversation": [
            {"role": "agent", "content": "Hi, this is Maria"},
            {"role": "customer", "content": SECRET},
        ],
        "form": ["greeting", "empathy"],
        "v": 2,
    }
    assert request.headers["Authorization"] == f"Token {KEY}"
    assert (request.headers["X-Tenant"], request.headers["Idempotency-Key"]) == ("qa", evaluation.evaluation_id)


@pytest.mark.parametrize(
    ("reply", "outcome", "reason", "requests"),
    [
        (Reply(body={"status": "declined"}), "refused", "refusal", 1),
        (Reply(body={"status": "done"}), "unparsed", "no_good_answer", 1),
        (Reply(body={"results": [{"id": "greeting", "verdict": "so-so", "certainty": 0.5}]}), "unparsed",
         "no_good_answer", 1),
        (Reply(body=b"[1]"), "unparsed", "no_good_answer", 1),
        (Reply(body=b"<html>"), "error", "bad_reply", 2),
        (Reply(401), "error", "auth", 1),
        (Reply(404), "error", "not_found", 1),
        (Reply(429), "error", "rate_limited", 2),
        (Reply(500), "error", "overloaded", 2),
        (Reply(302), "error", "bad_reply", 2),
        (Reply(body=service_reply(GOOD), cut=True), "error", "unreachable", 2),
        (Reply(body=service_reply(GOOD), delay_seconds=3), "error", "timeout", 2),
    ],
)  # fmt: skip
async def test_an_own_service_that_fails(reply: Reply, outcome: str, reason: str, requests: int) -> None:
    # Long enough for a request to arrive also while the machine is busy.
    done = await run(HTTP, reply, attempts=2, timeout_seconds=1)
    assert (done.evaluation.outcome, done.evaluation.reason) == (outcome, reason)
    assert len(done.server.received) == requests


async def test_an_own_service_without_confidence() -> None:
    shape = SHAPE.model_copy(update={"has_confidence": False, "positive_score": None})
    body = {"results": [{"id": "greeting", "verdict": True}, {"id": "empathy", "verdict": "fail", "certainty": 7}]}
    done = await run(replace(HTTP, config={"http": shape}), Reply(body=body))
    assert verdicts(done.evaluation.answers) == [("greeting", "yes", None), ("empathy", None, None)]
    assert (done.evaluation.outcome, done.evaluation.notes_outcome) == ("ok", "unparsed")
