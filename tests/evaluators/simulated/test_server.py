from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys
from datetime import UTC, datetime
from typing import Any

import aiohttp
import openai
import pytest

from evaluators.calling.judge_client import make_judge
from evaluators.evaluate import evaluate
from evaluators.judges.judge_config import JudgeConfig
from evaluators.simulated.planting import plant
from evaluators.simulated.profile import load_profile
from evaluators.simulated.profile_records import Profile
from evaluators.simulated.reply_draw import draw_reply
from evaluators.simulated.server import run_server
from perturbations.records.transcript import Question, Transcript, Turn
from tests.evaluators.builders import auto_qa_prompt
from tests.evaluators.running_judge import running_server
from tests.variants import make_arms

PROFILE = load_profile(b"""
served_model = "simulated-7"
[robustness]
flip_probability = 0.2
masd = { confidence = 5.0 }
""")

PROMPT = auto_qa_prompt(
    [Question(question_id=f"q{number}", text="Polite?") for number in range(10)],
    [Turn(speaker="agent", text="hello"), Turn(speaker="customer", text="I want to change my order")],
    None,
)
MESSAGES: list[Any] = [{"role": "system", "content": PROMPT.system}, {"role": "user", "content": PROMPT.user}]


async def ask(base_url: str, key: str = "k", **parameters: Any) -> Any:
    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0) as client:
        return await client.chat.completions.create(
            model="anything", messages=MESSAGES, extra_headers={"Idempotency-Key": key}, **parameters
        )


async def test_the_openai_client_gets_what_is_drawn() -> None:
    async with running_server(PROFILE) as base_url:
        reply = await ask(base_url, response_format={"type": "json_object"})
    drawn = draw_reply(plant(PROFILE), PROMPT.user, "k")
    assert drawn is not None
    assert json.loads(reply.choices[0].message.content) == drawn.as_json()
    assert reply.choices[0].finish_reason == "stop"
    assert reply.model == "simulated-7"
    assert reply.usage.prompt_tokens == -(-len(PROMPT.system + PROMPT.user) // 4)


async def test_repeats_differ_by_the_key_alone() -> None:
    async with running_server(PROFILE) as base_url:
        first, again, other = [await ask(base_url, key) for key in ("a", "a", "b")]
    assert first == again
    assert first.choices[0].message.content != other.choices[0].message.content


async def test_a_forced_tool_is_called() -> None:
    tool = {"type": "function", "function": {"name": "assess", "parameters": {"type": "object"}}}
    async with running_server(PROFILE) as base_url:
        reply = await ask(base_url, tools=[tool], tool_choice={"type": "function", "function": {"name": "assess"}})
    (call,) = reply.choices[0].message.tool_calls
    assert call.function.name == "assess"
    assert set(json.loads(call.function.arguments)) == {"answers", "coaching_note"}
    assert reply.choices[0].finish_reason == "tool_calls"


async def test_a_reply_over_the_token_limit_is_cut_off() -> None:
    async with running_server(PROFILE) as base_url:
        reply = await ask(base_url, max_completion_tokens=20)
    assert reply.choices[0].finish_reason == "length"
    assert len(reply.choices[0].message.content) == 80
    assert reply.usage.completion_tokens == 20


async def test_a_refusal_is_one() -> None:
    async with running_server(Profile(refusal_probability=1.0)) as base_url:
        reply = await ask(base_url)
    assert reply.choices[0].message.refusal
    assert reply.choices[0].message.content is None


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"messages": [{"role": "system", "content": "hi"}]}',
        b'{"messages": [{"role": "user", "content": "Is SECRET polite?"}]}',
        b'{"stream": true, "messages": []}',
    ],
)
async def test_a_bad_request_gets_400_and_the_reason(body: bytes) -> None:
    async with (
        running_server(PROFILE) as base_url,
        aiohttp.ClientSession() as session,
        session.post(f"{base_url}/chat/completions", data=body) as response,
    ):
        assert response.status == 400
        error = (await response.json())["error"]
    assert error["type"] == "invalid_request_error"
    assert error["message"]
    assert "SECRET" not in error["message"]


async def test_models_and_health() -> None:
    async with running_server(PROFILE) as base_url, aiohttp.ClientSession() as session:
        async with session.get(f"{base_url}/models") as response:
            assert [model["id"] for model in (await response.json())["data"]] == ["simulated-7"]
        async with session.get(f"{base_url.removesuffix('/v1')}/healthz") as response:
            assert await response.json() == {"status": "ok"}


async def test_only_calls_with_the_phrase_are_slow() -> None:
    slow = Profile.model_validate({"slow": [{"contains": "change my order", "seconds": 60}]})
    async with running_server(slow) as base_url:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(base_url), timeout=0.5)
    other = Profile.model_validate({"slow": [{"contains": "something else", "seconds": 60}]})
    async with running_server(other) as base_url:
        await asyncio.wait_for(ask(base_url), timeout=20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_the_process_serves_until_it_is_told_to_stop() -> None:
    port = free_port()
    code = (
        "from evaluators.simulated.profile_records import Profile\n"
        "from evaluators.simulated.server import run_server\n"
        f"run_server(Profile(latency_seconds=60), '127.0.0.1', {port})"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    try:
        async with aiohttp.ClientSession() as session:
            await until_healthy(session, port)
        call = asyncio.create_task(ask(f"http://127.0.0.1:{port}/v1"))
        await asyncio.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), timeout=10) == 0
        with pytest.raises(openai.APIConnectionError):
            await call
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def until_healthy(session: aiohttp.ClientSession, port: int) -> None:
    for _ in range(600):
        if await is_healthy(session, port):
            return
        await asyncio.sleep(0.05)
    raise TimeoutError("the server never came up")


async def is_healthy(session: aiohttp.ClientSession, port: int) -> bool:
    try:
        async with session.get(f"http://127.0.0.1:{port}/healthz") as response:
            return response.status == 200
    except aiohttp.ClientConnectionError:
        return False


def test_a_port_in_use_is_an_os_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OSError, match="in use"):
            run_server(PROFILE, "127.0.0.1", taken.getsockname()[1])


async def test_an_evaluation_holds_what_is_drawn_for_its_id() -> None:
    transcript = Transcript(
        transcript_id="c-1",
        turns=(Turn(speaker="agent", text="hello"), Turn(speaker="customer", text="I want to change my order")),
        questions=(
            Question(question_id="q", text="Polite?"),
            Question(question_id="r", text="Brief?", allow_na=True),
        ),
    )
    (message,) = make_arms(transcript, rows=(), seed=7, repeats=1)
    async with running_server(PROFILE) as base_url:
        judge = make_judge(JudgeConfig(model="m", base_url=base_url), None)
        evaluation = await evaluate(message, judge, now=lambda: datetime(2026, 11, 30, tzinfo=UTC))
        await judge.aclose()
    user = auto_qa_prompt(transcript.questions, transcript.turns, None).user
    drawn = draw_reply(plant(PROFILE), user, evaluation.evaluation_id)
    assert drawn is not None
    assert evaluation.outcome == "ok"
    assert evaluation.notes_outcome in (None, "ok")
    assert evaluation.judge.served_model == "simulated-7"
    assert [(a.answer, a.confidence) for a in evaluation.answers] == [(a.answer, a.confidence) for a in drawn.answers]
    assert evaluation.positive_score == drawn.positive_score
    assert evaluation.improvement_score == drawn.improvement_score
