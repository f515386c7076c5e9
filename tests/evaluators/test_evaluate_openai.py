"""The real SDK against a loopback server: every way a call can go, and the evaluation it becomes."""

from __future__ import annotations

from typing import Any

import pytest

from evaluators.evaluate import evaluate
from evaluators.evaluation import Evaluation
from perturbations.records.variant import VariantMessage
from tests.evaluators.builders import GOOD, KEY, NOON, SECRET, Sleeps, make_client, make_message, now, verdicts
from tests.evaluators.fake_openai import FakeServer, Reply, completion, failure, serving


class Run:
    """One evaluation against scripted replies."""

    def __init__(self, server: FakeServer, sleeps: Sleeps, evaluation: Evaluation) -> None:
        self.server, self.sleeps, self.evaluation = server, sleeps, evaluation


async def run(*replies: Reply, message: VariantMessage | None = None, **config: Any) -> Run:
    sleeps = Sleeps()
    async with serving(FakeServer(list(replies))) as server:
        judge = make_client(server.url, sleeps, **config)
        try:
            return Run(server, sleeps, await evaluate(message or make_message(), judge, now=now))
        finally:
            await judge.aclose()


async def test_success() -> None:
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": 80,
        "total_tokens": 980,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }
    done = await run(Reply(body=completion(GOOD, usage=usage)))
    evaluation = done.evaluation
    assert (evaluation.outcome, evaluation.reason, evaluation.attempts) == ("ok", None, 1)
    assert verdicts(evaluation.answers) == [("greeting", "yes", 90.0), ("empathy", "no", 60.0)]
    assert (evaluation.positive_score, evaluation.improvement_score, evaluation.notes_outcome) == (70, 30, "ok")
    assert evaluation.judge.model_dump() == {"provider": "openai", "model": "judge-x", "served_model": "judge-x-0401"}
    assert evaluation.usage.model_dump() == {
        "input_tokens": 900,
        "cached_tokens": 400,
        "output_tokens": 80,
        "reasoning_tokens": 30,
    }
    assert evaluation.evaluated_at == NOON
    assert (
        evaluation.evaluation_id
        == evaluation.with_ids().model_copy(update={"evaluation_id": None}).with_ids().evaluation_id
    )
    request = done.server.received[0]
    assert request.path == "/v1/chat/completions"
    assert request.headers["Idempotency-Key"] == evaluation.evaluation_id
    assert set(request.body) == {"model", "messages", "max_completion_tokens", "response_format"}
    assert request.body["response_format"]["json_schema"]["strict"] is True
    assert SECRET in request.body["messages"][1]["content"]


async def test_parameters_that_are_set_are_sent() -> None:
    done = await run(Reply(body=completion(GOOD)), temperature=0.0, top_p=0.5, max_output_tokens=77)
    body = done.server.received[0].body
    assert (body["temperature"], body["top_p"], body["max_completion_tokens"]) == (0.0, 0.5, 77)
    assert done.evaluation.parameters == {"temperature": 0.0, "top_p": 0.5, "mode": "schema"}


async def test_the_original_is_the_baseline_whatever_row_asked_for_it() -> None:
    variant = {"row": "politeness", "attribute": "original", "status": "original"}
    evaluation = (await run(Reply(body=completion(GOOD)), message=make_message(variant=variant, repeat=1))).evaluation
    assert (evaluation.row, evaluation.attribute, evaluation.draw, evaluation.repeat) == (
        "robustness",
        "original",
        0,
        1,
    )


@pytest.mark.parametrize(
    ("reply", "outcome", "reason"),
    [
        (completion(f"```json\n{GOOD}\n```"), "ok", None),
        (completion(f"Here you are:\n{GOOD}\nGood luck!"), "ok", None),
        (completion(None, refusal="I can't help with that."), "refused", "refusal"),
        (completion("", finish="content_filter"), "refused", "refusal"),
        (completion("I'm sorry, I can't assess this agent."), "refused", "refusal"),
        (completion(""), "unparsed", "empty"),
        (completion("The agent did well: yes."), "unparsed", "no_object"),
        (completion(GOOD + GOOD), "unparsed", "two_objects"),
    ],
)
async def test_replies(reply: dict[str, object], outcome: str, reason: str | None) -> None:
    done = await run(Reply(body=reply))
    assert (done.evaluation.outcome, done.evaluation.reason) == (outcome, reason)
    assert len(done.server.received) == 1


async def test_an_answer_cut_off_gets_one_try_with_a_larger_budget() -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1000}
    cut = Reply(body=completion(GOOD[:40], finish="length", usage=usage))
    whole = Reply(body=completion(GOOD, usage=usage))
    done = await run(cut, whole, max_output_tokens=100)
    assert (done.evaluation.outcome, done.evaluation.attempts) == ("ok", 2)
    assert [request.body["max_completion_tokens"] for request in done.server.received] == [100, 400]
    assert done.evaluation.usage.output_tokens == 200
    keys = [request.headers["Idempotency-Key"] for request in done.server.received]
    assert keys == [done.evaluation.evaluation_id, f"{done.evaluation.evaluation_id}:larger"]
    never = await run(cut)
    assert (never.evaluation.outcome, never.evaluation.reason, never.evaluation.attempts) == (
        "truncated",
        "output",
        2,
    )
    assert never.evaluation.answers == ()


async def test_a_larger_budget_than_the_model_takes_leaves_the_answer_truncated() -> None:
    refusal = Reply(
        400, failure("max_tokens is too large: 4000. This model supports at most 1000", param="max_tokens")
    )
    done = await run(Reply(body=completion('{"answers', finish="length")), refusal)
    assert (done.evaluation.outcome, done.evaluation.reason) == ("truncated", "output")


async def test_input_cut_silently_is_no_evaluation() -> None:
    long = make_message(variant={"turns": [{"speaker": "agent", "text": "word " * 6000}]})
    usage = {"prompt_tokens": 2050, "completion_tokens": 80, "total_tokens": 2130}
    evaluation = (await run(Reply(body=completion(GOOD, usage=usage)), message=long)).evaluation
    assert (evaluation.outcome, evaluation.reason, evaluation.answers) == ("truncated", "input", ())
    plausible = {"prompt_tokens": 6500, "completion_tokens": 80, "total_tokens": 6580}
    assert (await run(Reply(body=completion(GOOD, usage=plausible)), message=long)).evaluation.outcome == "ok"


@pytest.mark.parametrize(
    ("reply", "reason", "requests"),
    [
        (Reply(401, failure("Incorrect API key provided: sk-test", code="invalid_api_key")), "auth", 1),
        (Reply(403, failure("no")), "auth", 1),
        (Reply(404, failure("The model `judge-x` has been deprecated", code="model_not_found")), "not_found", 1),
        (Reply(400, failure("Invalid value")), "bad_request", 1),
        (Reply(400, failure("maximum context length is 8192", code="context_length_exceeded")), "too_long", 1),
        (Reply(429, failure("You exceeded your quota", code="insufficient_quota")), "quota", 1),
        (Reply(429, failure("Rate limit reached")), "rate_limited", 3),
        (Reply(429, failure("slow down"), headers={"Retry-After": "86400"}), "rate_limited", 1),
        (Reply(408, failure("timeout")), "overloaded", 3),
        (Reply(409, failure("conflict")), "overloaded", 3),
        (Reply(500, failure("oops")), "overloaded", 3),
        (Reply(529, failure("Overloaded")), "overloaded", 3),
        (Reply(503, b"<html>"), "overloaded", 3),
        (Reply(200, b""), "bad_reply", 3),
        (Reply(200, b'{"choices": ['), "bad_reply", 3),
        (Reply(200, b"<html>welcome</html>", headers={"Content-Type": "text/html"}), "bad_reply", 3),
        (Reply(200, {"object": "list"}), "bad_reply", 3),
        (Reply(200, {"error": {"code": 502, "message": "upstream"}}), "overloaded", 3),
        (Reply(200, completion(GOOD), cut=True), "unreachable", 3),
    ],
)
async def test_calls_that_fail(reply: Reply, reason: str, requests: int) -> None:
    done = await run(reply, attempts=3)
    evaluation = done.evaluation
    assert (evaluation.outcome, evaluation.reason, evaluation.attempts) == ("error", reason, requests)
    assert len(done.server.received) == requests
    assert len(done.sleeps) == requests - 1
    assert evaluation.answers == ()
    assert KEY not in evaluation.model_dump_json()
    assert len({request.headers["Idempotency-Key"] for request in done.server.received}) == 1


async def test_a_slow_body_ends_at_the_limit_of_one_attempt() -> None:
    slow = Reply(body=completion(GOOD), delay_seconds=0.6)
    done = await run(slow, Reply(body=completion(GOOD)), timeout_seconds=0.2, attempts=2)
    assert (done.evaluation.outcome, done.evaluation.attempts) == ("ok", 2)
    assert (await run(slow, timeout_seconds=0.2, attempts=1)).evaluation.reason == "timeout"


async def test_nobody_listens() -> None:
    async with serving(FakeServer()) as server:
        url = server.url
    judge = make_client(url, attempts=2)
    evaluation = await evaluate(make_message(), judge, now=now)
    await judge.aclose()
    assert (evaluation.outcome, evaluation.reason, evaluation.attempts) == ("error", "unreachable", 2)


async def test_retry_after_is_honoured_and_the_layers_do_not_multiply() -> None:
    limited = Reply(429, failure("slow down"), headers={"Retry-After": "171"})
    done = await run(limited, limited, limited, Reply(body=completion(GOOD)), attempts=4)
    assert (done.evaluation.outcome, len(done.server.received)) == ("ok", 4)
    assert len(done.sleeps) == 3
    assert all(171 <= seconds < 173 for seconds in done.sleeps)


async def test_the_prompt_is_filtered() -> None:
    filtered = Reply(400, failure("The response was filtered", param="prompt", code="content_filter"))
    assert (await run(filtered)).evaluation.outcome == "refused"


async def test_without_questions_or_text_the_judge_is_not_asked() -> None:
    for message, reason in [
        (make_message(questions=()), "no_questions"),
        (make_message(variant={"status": "rejected", "turns": ()}), "no_variant"),
    ]:
        done = await run(Reply(), message=message)
        assert (done.evaluation.outcome, done.evaluation.reason) == ("skipped", reason)
        assert done.server.received == []
