"""Neither transcripts nor keys leave by a side door: logs, errors, records."""

from __future__ import annotations

import logging

import pytest

from evaluators.calling.judge_client import make_judge
from evaluators.errors import JudgeConfigError, ProviderError
from evaluators.evaluate import evaluate
from evaluators.judges.judge_config import JudgeConfig
from evaluators.provider import JudgeRequest
from evaluators.providers.connection import Connection, place
from evaluators.providers.openai import OpenAIProvider
from tests.evaluators.builders import GOOD, KEY, SECRET, make_client, make_message, now
from tests.evaluators.fake_openai import FakeServer, Reply, completion, failure, serving

LEAKY = failure(f"Incorrect API key provided: {KEY}. You sent: {SECRET}", param=SECRET, code=f"{SECRET}!", kind=KEY)
REQUEST = JudgeRequest(system="s", user=SECRET, schema={}, idempotency_key="id-1", max_output_tokens=5)


@pytest.mark.parametrize("status", [200, 400, 401, 404, 422, 429, 500])
async def test_logs_hold_no_transcript_even_at_debug(caplog: pytest.LogCaptureFixture, status: int) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(FakeServer([Reply(status, completion(GOOD) if status == 200 else LEAKY)])) as server:
        judge = make_client(server.url, attempts=2)
        await evaluate(make_message(), judge, now=now)
        await judge.aclose()
    assert SECRET not in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize("status", [400, 401, 404, 422, 429, 500])
async def test_errors_say_what_where_and_what_to_do_and_repeat_nothing(status: int) -> None:
    async with serving(FakeServer([Reply(status, LEAKY)])) as server:
        provider = OpenAIProvider(Connection("judge-x", KEY, f"{server.url}/v1", timeout_seconds=5))
        with pytest.raises(ProviderError) as caught:
            await provider.complete(REQUEST)
        await provider.aclose()
    message = str(caught.value)
    assert f"{server.url}/v1 answered {status}" in message
    assert SECRET not in message
    assert KEY not in message


def test_an_address_is_shown_without_what_is_secret_in_it() -> None:
    assert place("https://user:pass@judge.internal:8443/v1/?key=abc") == "https://judge.internal:8443/v1"


@pytest.mark.parametrize("key", [None, ""])
def test_the_providers_own_service_needs_a_key(key: str | None) -> None:
    with pytest.raises(JudgeConfigError, match="MY_KEY"):
        make_judge(JudgeConfig(model="gpt-x", api_key_env="MY_KEY"), key)


async def test_an_endpoint_of_ones_own_may_need_none_and_is_the_one_that_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-elsewhere")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with serving(FakeServer([Reply(body=completion(GOOD))])) as server:
        judge = make_client(server.url, key=None)
        assert (await evaluate(make_message(), judge, now=now)).outcome == "ok"
        await judge.aclose()
    assert server.received[0].headers["Authorization"] == "Bearer no-key"
