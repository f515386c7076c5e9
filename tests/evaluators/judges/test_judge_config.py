from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from evaluators.calling.judge_client import make_judge
from evaluators.errors import JudgeConfigError
from evaluators.judges.judge_config import JudgeConfig
from evaluators.providers.http_shape import HttpShape, fill_body, picked

SHAPE: dict[str, Any] = {"body": {"text": "{transcript}"}, "answers": "answers"}


@pytest.mark.parametrize(
    ("provider", "key"),
    [
        ({}, "OPENAI_API_KEY"),
        ({"provider": "openai"}, "OPENAI_API_KEY"),
        ({"provider": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"provider": "anthropic", "api_key_env": "MINE"}, "MINE"),
    ],
)
def test_each_provider_has_its_own_key(provider: dict[str, Any], key: str) -> None:
    config = JudgeConfig(model="x", **provider)
    assert config.api_key_env == key
    assert JudgeConfig.model_validate(config.model_dump()) == config
    with pytest.raises(JudgeConfigError, match=key):
        make_judge(config, None)


def test_bedrock_says_that_it_needs_a_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(JudgeConfigError, match="region"):
        make_judge(JudgeConfig(provider="bedrock", model="x"), None)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"provider": "http"}, "go together"),
        ({"http": SHAPE}, "go together"),
        ({"provider": "http", "http": SHAPE}, "needs base_url"),
        ({"region": "eu-west-1"}, "bedrock only"),
        ({"temperature": 3}, "less than or equal to 2"),
        ({"provider": "azure"}, "'openai', 'anthropic', 'bedrock' or 'http'"),
        ({"provider": ["openai"]}, "'openai', 'anthropic', 'bedrock' or 'http'"),
        ({"output_mode": "xml"}, "'schema', 'tool' or 'prompt'"),
        ({"temprature": 0}, "Extra inputs"),
        ({"provider": "http", "base_url": "http://x", "http": {**SHAPE, "answers": "a["}}, "is no JMESPath"),
        ({"provider": "http", "base_url": "http://x", "http": {**SHAPE, "body": {"a": "{trnscript}"}}},
         "picks nothing; the request has evaluation_id, model, questions"),
        ({"provider": "http", "base_url": "http://x", "http": {**SHAPE, "body": {"a": "transcript"}}},
         "nothing of the transcript"),
        ({"provider": "http", "base_url": "http://x", "http": {**SHAPE, "body": '{"a": '}}, "text but no JSON"),
        ({"provider": "http", "base_url": "http://x", "http": {**SHAPE, "verdicts": {"ok": "y"}}}, "'yes', 'no' or"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_said(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError) as caught:
        JudgeConfig.model_validate({"model": "x", **fields})
    assert says in str(caught.value)


def test_another_shape_is_another_system_and_other_headers_are_not() -> None:
    def system(**shape: Any) -> str:
        fields = {"provider": "http", "model": "x", "base_url": "http://x", "http": {**SHAPE, **shape}}
        return JudgeConfig.model_validate(fields).system_id

    assert system() == system(headers={"X-Tenant": "qa"})
    assert len({system(), system(maximum=1), system(body={"t": "{turns}"})}) == 3


def test_effort_and_rung_are_part_of_the_system() -> None:
    configs = [
        JudgeConfig(model="x"),
        JudgeConfig(model="x", effort="low"),
        JudgeConfig(model="x", output_mode="tool"),
    ]
    assert len({config.system_id for config in configs}) == 3


def test_a_body_is_filled_deep_inside_and_left_alone_elsewhere() -> None:
    shape = HttpShape(
        body={"a": [{"b": "{turns[0].text}"}, 1, None, "{header}", "a {header} inside"], "c": "{transcript}"},
        answers="x",
    )
    request = {"turns": [{"text": "hi {header}"}], "header": None, "transcript": "hi"}
    assert fill_body(shape.body, request) == {
        "a": [{"b": "hi {header}"}, 1, None, None, "a {header} inside"],
        "c": "hi",
    }


def test_picking_from_a_reply_of_another_shape_gives_none() -> None:
    assert picked("a.b[0]", {"a": "text"}) is None
    assert picked("sum(a)", {"a": "text"}) is None
    assert picked(None, {"a": 1}) is None
