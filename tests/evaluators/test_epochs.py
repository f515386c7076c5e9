"""Which model answered decides the epoch; who asks, and how long it takes, doesn't."""

from __future__ import annotations

from evaluators.evaluate import evaluate
from evaluators.judges.judge_config import JudgeConfig
from tests.evaluators.builders import GOOD, make_client, make_message, now
from tests.evaluators.fake_openai import FakeServer, Reply, completion, serving


async def served_in_turn(*models: str) -> list[str]:
    async with serving(FakeServer([Reply(body=completion(GOOD, model=model)) for model in models])) as server:
        judge = make_client(server.url)
        evaluations = [await evaluate(make_message(), judge, now=now) for _ in models]
        await judge.aclose()
    assert [evaluation.judge.served_model for evaluation in evaluations] == list(models)
    assert {evaluation.judge.model for evaluation in evaluations} == {"judge-x"}
    assert len({evaluation.system_id for evaluation in evaluations}) == 1
    return [evaluation.epoch for evaluation in evaluations]


async def test_a_new_served_model_under_the_same_alias_is_another_epoch() -> None:
    before, after = await served_in_turn("judge-x-0401", "judge-x-0615")
    assert before != after


async def test_a_router_between_two_models_gives_two_epochs_not_many() -> None:
    first, second, third, fourth = await served_in_turn("a", "b", "a", "b")
    assert (first, second) == (third, fourth)
    assert first != second


async def test_repeats_are_calls_of_their_own() -> None:
    async with serving(FakeServer([Reply(body=completion(GOOD))])) as server:
        judge = make_client(server.url)
        original = {"row": "robustness", "attribute": "original", "status": "original"}
        for repeat in range(5):
            await evaluate(make_message(variant=original, repeat=repeat), judge, now=now)
        await judge.aclose()
    assert len({received.headers["Idempotency-Key"] for received in server.received}) == 5


def test_what_makes_the_judge_another_system() -> None:
    base = JudgeConfig(model="judge-x")
    same = [
        JudgeConfig(model="judge-x", base_url="http://127.0.0.1:1/v1", api_key_env="OTHER", attempts=9),
        JudgeConfig(model="judge-x", timeout_seconds=3, concurrency=2),
    ]
    other = [
        JudgeConfig(model="judge-y"),
        JudgeConfig(model="judge-x", temperature=0),
        JudgeConfig(model="judge-x", top_p=0.5),
        JudgeConfig(model="judge-x", max_output_tokens=5),
    ]
    assert {config.system_id for config in same} == {base.system_id}
    assert len({config.system_id for config in [base, *other]}) == 5
