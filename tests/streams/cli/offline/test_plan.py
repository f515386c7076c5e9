"""`evenhand plan`: what a wanted precision takes, with what is unknown said as unknown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from evaluators.evaluation import Usage
from metrics.figures.measure import measure
from perturbations.rows import ROWS
from tests.builders import make_evaluation, make_transcript
from tests.streams.command import Ran, run_here


def configured(directory: Path, judge: dict[str, Any] | None = None, **sampling: Any) -> None:
    data: dict[str, Any] = {"sampling": {"placebo_rate": 0.0, **sampling}}
    if judge is not None:
        data["judges"] = {"main": judge}
    (directory / "evenhand.toml").write_text(tomli_w.dumps(data))


def plan(directory: Path, *arguments: str) -> Ran:
    ran = run_here("plan", *arguments, cwd=directory)
    assert (ran.code, ran.err) == (0, "")
    return ran


def as_json(directory: Path, *arguments: str) -> Any:
    return json.loads(plan(directory, "--json", *arguments).out)


def test_with_nothing_known_it_says_so(tmp_path: Path) -> None:
    figures = as_json(tmp_path, "--precision", "0.01")
    assert list(figures["rows"]) == list(ROWS)
    assert figures["precision"] == 0.01
    assert figures["total"]["dollars"] is figures["total"]["days"] is None
    assert figures["total"]["transcripts"] > 100
    assert set(figures["reasons"]) == {"dollars", "days", "cfr"}
    text = plan(tmp_path).out
    assert "± 2 points" in text
    for sentence in ("no judge is configured", "--rate-per-day", "assumed"):
        assert sentence in text


def test_rates_traffic_and_price(tmp_path: Path) -> None:
    configured(tmp_path, {"model": "gpt-4o-2024-08-06"}, rate=0.1, rows=["agent_gender"])
    evaluations = [
        make_evaluation(f"c-{i}", "agent_gender", a, letters, usage=Usage(input_tokens=10_000, output_tokens=1_000))
        for i in range(40)
        for a, letters in (("male", "yyyy"), ("female", "yyyn" if i % 4 == 0 else "yyyy"))
    ]
    (tmp_path / "e.jsonl").write_text("".join(e.model_dump_json() + "\n" for e in evaluations))
    figures = as_json(tmp_path, "--evaluations", "e.jsonl", "--rate-per-day", "5000", "--precision", "0.01")
    row = figures["rows"]["agent_gender"]
    assert (row["cfr"], row["seen_transcripts"]) == (0.0625, 40)
    needed = measure(evaluations).rows["agent_gender"].transcripts_needed
    assert needed is not None
    assert row["needs"]["transcripts"] > needed
    assert row["needs"]["calls"] == 2 * row["needs"]["transcripts"]
    total = figures["total"]
    assert total["calls"] == 4 * total["transcripts"]
    assert total["dollars"] == pytest.approx(total["calls"] * (0.025 + 0.01))
    assert (total["days"], total["limited_by"]) == (pytest.approx(total["transcripts"] / 500), "traffic")
    assert figures["reasons"]["dollars"].startswith("from the tokens seen and the price of 20")


def test_the_length_of_transcripts_prices_the_calls(tmp_path: Path) -> None:
    configured(tmp_path, {"model": "gpt-4o-2024-08-06"})
    unknown = as_json(tmp_path)
    assert unknown["total"]["dollars"] is None
    assert "--transcripts" in unknown["reasons"]["dollars"]
    costs = []
    for words in (10, 50_000):
        transcript = make_transcript("c-1", ("agent", "hello " * words))
        (tmp_path / "t.jsonl").write_text(transcript.model_dump_json() + "\n")
        figures = as_json(tmp_path, "--transcripts", "t.jsonl")
        costs.append(figures["total"]["dollars"] / figures["total"]["calls"])
        assert figures["reasons"]["dollars"].startswith("at most")
    # 49,990 words of 6 characters, 4 characters a token, 2.50 dollars a million.
    assert costs[1] - costs[0] == pytest.approx(49_990 * 6 / 4 * 2.5e-6, rel=0.01)


def test_a_model_without_a_price_and_limits_of_the_judge(tmp_path: Path) -> None:
    judge = {"model": "ours", "base_url": "http://127.0.0.1:1/v1", "questions_per_call": 10}
    configured(tmp_path, judge | {"limits": {"calls_per_day": 100}})
    figures = as_json(tmp_path, "--rate-per-day", "1000000")
    assert "the price of ours is unknown" in figures["reasons"]["dollars"]
    # 30 questions in three calls and the coaching note in one.
    assert figures["calls_per_transcript"] == 4 * (
        2 + sum(len(r.attributes) - bool(r.original_attribute) for r in ROWS.values())
    )
    assert figures["total"]["limited_by"] == "calls_per_day"
    assert figures["total"]["days"] == pytest.approx(figures["total"]["calls"] / 100)


def test_the_design_of_the_configuration(tmp_path: Path) -> None:
    full = as_json(tmp_path, "--row", "agent_religion_name")
    assert list(full["rows"]) == ["agent_religion_name"]
    configured(tmp_path, arms_per_row=2)
    thin = as_json(tmp_path, "--row", "agent_religion_name")
    assert thin["total"]["calls"] < full["total"]["calls"]
    assert thin["total"]["transcripts"] > full["total"]["transcripts"]
    configured(tmp_path, rows_per_transcript=3)
    assert as_json(tmp_path)["total"]["transcripts"] > 4 * full["total"]["transcripts"]


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{}\n")
    for arguments, code, sentence in (
        (["--precision", "0"], 2, "--precision"),
        (["--rate-per-day", "-1"], 2, "--rate-per-day"),
        (["--row", "shoe_size"], 2, "shoe_size"),
        (["--judge", "nobody"], 2, "nobody"),
        (["--evaluations", "none.jsonl"], 2, "none.jsonl"),
        (["--evaluations", "bad.jsonl"], 1, "bad.jsonl:1"),
    ):
        ran = run_here("plan", *arguments, cwd=tmp_path)
        assert ran.code == code
        assert ran.said(sentence), ran.err
