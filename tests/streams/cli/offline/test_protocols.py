"""One switch moves the same run of `evenhand evaluate` between the protocols: same answers, same figures."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from evaluators.evaluation import Evaluation
from metrics.figures.measure import measure
from metrics.figures.thresholds import Thresholds
from perturbations.records.hashing import digest
from tests.evaluators.builders import reply_text
from tests.evaluators.fake_openai import FakeServer, Received, Reply, serving
from tests.evaluators.protocols import MODELS, Protocol
from tests.real_transcripts import real_transcripts
from tests.streams.command import run_here

QUESTIONS = ("greeting", "courteous", "closing")
ROWS = ("agent_disability", "politeness", "past_performance")
TRANSCRIPTS = real_transcripts()[:4]
AWS = {
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "k",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": "/nonexistent",
    "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
}


def protocol_of(path: str) -> Protocol:
    return next(model for model in MODELS if model.path == path)


def judged(received: Received) -> Reply:
    """What this judge thinks follows from the conversation alone, whichever protocol brings it."""
    # The system message speaks of the marks too.
    marked = re.findall(r"<transcript>(.*?)</transcript>", json.dumps(received.body))
    drawn = bytes.fromhex(digest(max(marked, key=len)))
    answers = [(name, "yes" if drawn[n] % 2 else "no", drawn[n + 8] % 101) for n, name in enumerate(QUESTIONS)]
    note = {"positives": [], "positive_score": drawn[5] % 101, "improvements": [], "improvement_score": 40}
    return protocol_of(received.path).reply(reply_text(*answers, note=note), "stop", True)


def configuration(url: str) -> dict[str, Any]:
    judges = {
        model.name: {
            "provider": model.name,
            "model": "judge-x",
            "base_url": f"{url}/v1" if model.name == "openai" else url,
            **model.config,
        }
        for model in MODELS
    }
    return {"rubric": "form.toml", "judges": judges}


async def test_the_same_run_over_three_protocols(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    form = {"questions": [{"question_id": name, "text": f"Did it have a {name}?"} for name in QUESTIONS]}
    (tmp_path / "form.toml").write_text(tomli_w.dumps(form))
    (tmp_path / "calls.jsonl").write_text("".join(t.model_dump_json() + "\n" for t in TRANSCRIPTS))
    rows = [word for row in ROWS for word in ("--row", row)]
    evaluations_by_model: dict[str, list[Evaluation]] = {}
    async with serving(FakeServer(choose=judged)) as server:
        (tmp_path / "evenhand.toml").write_text(tomli_w.dumps(configuration(server.url)))
        for model in MODELS:
            ran = await asyncio.to_thread(
                run_here, "evaluate", "calls.jsonl", "--judge", model.name, *rows, cwd=tmp_path, environment=AWS
            )
            assert ran.code == 0, ran.err
            evaluations_by_model[model.name] = [Evaluation.model_validate_json(line) for line in ran.out.splitlines()]
        paths = {received.path for received in server.received}
    assert paths == {model.path for model in MODELS}
    first, *others = (
        [e.model_dump(include=SAME) | {"usage": e.usage, "served": e.judge.served_model} for e in evaluations]
        for evaluations in evaluations_by_model.values()
    )
    assert {evaluation["outcome"] for evaluation in first} == {"ok"}
    assert len({str(evaluation["answers"]) for evaluation in first}) > 1
    assert others == [first, first]
    # Three systems all the same: nothing of one is ever compared with another.
    assert len({e.system_id for evaluations in evaluations_by_model.values() for e in evaluations}) == 3
    few = Thresholds(comparisons=5, transcripts=2)
    figures = [measure(evaluations, thresholds=few) for evaluations in evaluations_by_model.values()]
    assert all(other.rows == figures[0].rows and other.robustness == figures[0].robustness for other in figures)
    assert (figures[0].rows["politeness"].flips or 0) > 0


SAME = {
    "transcript_id",
    "row",
    "attribute",
    "draw",
    "repeat",
    "outcome",
    "answers",
    "positive_score",
    "improvement_score",
    "notes",
    "attempts",
}
