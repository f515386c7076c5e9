"""Who writes and validates variants, by the configuration."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.rewriting.llm_rewriter import LlmRewriter
from evaluators.rewriting.llm_validator import LlmValidator
from perturbations.materials import own_materials
from streams.config.errors import SettingsError
from streams.config.settings import load_settings, settings_of
from streams.config.variant_writing import variant_maker
from tests.builders import make_transcript
from tests.evaluators.fake_openai import FakeServer, Received, Reply, completion, serving
from tests.streams.command import run_here

SHAPE = {"body": {"text": "{transcript}"}, "answers": "answers"}
JUDGES = {
    "main": {"model": "m", "base_url": "http://127.0.0.1:9/v1"},
    "writer": {"model": "w", "base_url": "http://127.0.0.1:9/v1"},
    "keyless": {"model": "k"},
    "service": {"provider": "http", "model": "s", "base_url": "http://127.0.0.1:9", "http": SHAPE},
}


def configured(**perturbations: str) -> Any:
    return settings_of({"judges": JUDGES, "perturbations": perturbations})


async def test_rules_by_default() -> None:
    async with variant_maker(configured(), {}) as maker:
        assert maker.by_rules_alone
        assert maker.version == own_materials().hash


async def test_judges_by_name_share_one_connection() -> None:
    async with variant_maker(configured(rewriter="writer", validator="writer"), {}, patient=True) as maker:
        assert isinstance(maker.rewriter, LlmRewriter)
        assert isinstance(maker.validator, LlmValidator)
        assert maker.rewriter.judge is maker.validator.judge
        assert maker.validator.name == "llm:w"
        assert not maker.by_rules_alone
    async with variant_maker(configured(validator="main"), {}) as maker:
        assert maker.rewriter is None
        assert maker.version == own_materials().hash


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"rewriter": "nobody"}, r"perturbations\.rewriter: no judge 'nobody': add \[judges\.nobody\].*or set rules"),
        ({"validator": "nobody"}, r"perturbations\.validator: no judge 'nobody'"),
        ({"rewriter": "keyless"}, r"perturbations\.rewriter: .*set the environment variable OPENAI_API_KEY"),
        ({"rewriter": "service"}, r"perturbations\.rewriter: \[judges\.service\] is an http service"),
        ({"names": "/nowhere.csv"}, r"perturbations\.names: can't read /nowhere\.csv"),
    ],
)
async def test_what_cannot_be_used_is_told(keys: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        async with variant_maker(configured(**keys), {}):
            pass


def test_variables_name_them_too() -> None:
    settings = load_settings(None, {"EVENHAND_PERTURBATIONS_REWRITER": "main"})
    assert settings.perturbations.rewriter == "main"
    assert settings.perturbations.validator == "rules"


async def test_perturb_asks_the_configured_llms(tmp_path: Path) -> None:
    def choose(received: Received) -> Reply:
        user = received.body["messages"][1]["content"]
        if "<edited>" in user:
            return Reply(body=completion('{"reason": "same", "equivalent": "yes"}'))
        text = "Hello, this is Michael. How might I help you?"
        return Reply(
            body=completion(json.dumps({"applicable": True, "turns": [{"turn": 0, "text": text}], "added": []}))
        )

    (tmp_path / "calls.jsonl").write_text(make_transcript().model_dump_json() + "\n")
    async with serving(FakeServer(choose=choose)) as server:
        (tmp_path / "evenhand.toml").write_text(
            f'[judges.llm]\nmodel = "m"\nbase_url = "{server.url}/v1"\n'
            '[perturbations]\nrewriter = "llm"\nvalidator = "llm"\n'
        )
        options = ("--config", "evenhand.toml", "calls.jsonl", "--row", "politeness")
        ran = await asyncio.to_thread(run_here, "perturb", *options, cwd=tmp_path)
    assert ran.code == 0, ran.err
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [(line["attribute"], line["status"], line["validator"]) for line in lines] == [
        ("neutral", "accepted", "llm:m"),
        ("original", "original", None),
        ("polite", "accepted", "llm:m"),
    ]
    assert [edit["after"] for edit in lines[0]["edits"]] == ["might"]


def test_a_wrong_name_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").write_text("")
    (tmp_path / "evenhand.toml").write_text('[perturbations]\nrewriter = "nobody"\n')
    ran = run_here("perturb", "--config", "evenhand.toml", "calls.jsonl", cwd=tmp_path)
    assert ran.code == 2
    assert "perturbations.rewriter: no judge 'nobody'" in ran.err
