from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from evaluators.evaluate import evaluate
from evaluators.evaluation import Evaluation
from perturbations.records.variant import VariantMessage
from tests.evaluators.builders import GOOD, KEY, make_client, make_message, now
from tests.evaluators.fake_openai import FakeServer, Reply, completion, serving

USAGE = {"prompt_tokens": 900, "completion_tokens": 80, "total_tokens": 980}
ORIGINAL = {"row": "robustness", "attribute": "original", "status": "original"}


async def ask(server: FakeServer, folder: Path, *messages: VariantMessage, **config: Any) -> list[Evaluation]:
    judge = make_client(server.url, cache=folder, **config)
    try:
        return list(await asyncio.gather(*(evaluate(message, judge, now=now) for message in messages)))
    finally:
        await judge.aclose()


def texts_in(folder: Path) -> list[str]:
    return [file.read_text() for file in folder.rglob("*.json")]


def break_files(folder: Path) -> None:
    for file in folder.rglob("*.json"):
        file.write_text('{"text": "')


async def test_the_same_evaluation_is_asked_once_and_costs_once(tmp_path: Path) -> None:
    async with serving(FakeServer([Reply(body=completion(GOOD, usage=USAGE))])) as server:
        (first,) = await ask(server, tmp_path, make_message())
        (second,) = await ask(server, tmp_path, make_message())
    assert len(server.received) == 1
    assert (first.answers, first.epoch, first.judge) == (second.answers, second.epoch, second.judge)
    assert (first.attempts, first.usage.input_tokens) == (1, 900)
    assert (second.attempts, second.usage.input_tokens, second.latency_seconds) == (0, 0, None)
    assert not [text for text in texts_in(tmp_path) if KEY in text]


async def test_repeats_draws_and_arms_are_never_answered_from_one_another(tmp_path: Path) -> None:
    messages = [make_message(variant=ORIGINAL, repeat=repeat) for repeat in range(5)]
    messages += [make_message(variant={"draw": draw}) for draw in (0, 1)]
    messages += [make_message(variant={"attribute": "male"})]
    async with serving(FakeServer([Reply(body=completion(GOOD))])) as server:
        await ask(server, tmp_path, *messages)
    assert len(server.received) == len(messages)


async def test_another_configuration_asks_anew(tmp_path: Path) -> None:
    configs: list[dict[str, Any]] = [
        {},
        {"temperature": 0.5},
        {"model": "judge-y"},
        {"max_output_tokens": 5},
        {"output_mode": "prompt"},
        {"fairness_prompt": True},
        {"system_prompt": "Be kind."},
    ]
    async with serving(FakeServer([Reply(body=completion(GOOD))])) as server:
        for config in configs * 2:
            await ask(server, tmp_path, make_message(), **config)
        await ask(server, tmp_path, make_message("greeting"))
    assert len(server.received) == len(configs) + 1


async def test_what_is_not_good_is_not_kept(tmp_path: Path) -> None:
    refusal = Reply(body=completion("", finish="content_filter"))
    async with serving(FakeServer([refusal, Reply(body=completion(GOOD))])) as server:
        outcomes = [(await ask(server, tmp_path, make_message()))[0].outcome for _ in range(3)]
    assert (outcomes, len(server.received)) == (["refused", "ok", "ok"], 2)


async def test_a_broken_file_or_folder_is_no_help_and_no_harm(tmp_path: Path) -> None:
    async with serving(FakeServer([Reply(body=completion(GOOD))])) as server:
        await ask(server, tmp_path, make_message())
        break_files(tmp_path)
        assert (await ask(server, tmp_path, make_message()))[0].outcome == "ok"
        blocked = tmp_path / "file"
        await asyncio.to_thread(blocked.write_text, "")
        assert (await ask(server, blocked, make_message()))[0].outcome == "ok"
    assert len(server.received) == 3
