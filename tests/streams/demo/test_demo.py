"""The demo as a new user runs it: ends by itself, shows the planted truth measured, writes the same figures twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from evaluators.simulated.profile import default_profile
from evaluators.simulated.truth import planted
from perturbations.rows import ROBUSTNESS, ROWS
from tests.real_transcripts import real_transcripts
from tests.streams.command import run_here

SCORES = ("confidence", "positive", "improvement")


def evenhand(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "streams", *arguments], capture_output=True, text=True, check=False, **options
    )


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one whole run of the demo wrote."""
    out = tmp_path_factory.mktemp("demo") / "out"
    run = evenhand("demo", "--once", "--out", str(out), timeout=290)
    assert run.returncode == 0, run.stderr
    assert "Agent Gender" in run.stdout
    assert "planted" in run.stdout
    assert "Who is favoured" in run.stdout
    assert "larms at alpha 0.001" in run.stdout
    return out


def test_the_noise_is_all_that_placebos_show_where_only_the_attribute_is_told(out: Path) -> None:
    figures = json.loads((out / "figures.json").read_text())
    noise = default_profile().robustness.flip_probability
    for row in ROWS.values():
        placebo, excess = (figures["rows"][row.name][name] for name in ("placebo", "excess_placebo"))
        assert placebo["transcripts"] >= 20, row.name
        assert excess is not None
        if row.category != "style":
            lower, upper = placebo["cfr_interval"]
            assert lower <= noise <= upper, row.name


def test_every_planted_flip_rate_lies_in_the_measured_interval(out: Path) -> None:
    figures = json.loads((out / "figures.json").read_text())
    profile = default_profile()
    assert list(figures["rows"]) == list(ROWS)
    for row in ROWS:
        lower, upper = figures["rows"][row]["cfr_interval"]
        assert lower <= planted(profile, row).cfr <= upper, row
    lower, upper = figures["robustness"]["cfr_interval"]
    assert lower <= profile.robustness.flip_probability <= upper


def test_planted_score_differences_lie_in_the_measured_intervals(out: Path) -> None:
    figures = json.loads((out / "figures.json").read_text())
    profile = default_profile()
    rows = {**figures["rows"], ROBUSTNESS: figures["robustness"]}
    inside = total = 0
    for row, figures_of_row in rows.items():
        truth = planted(profile, row).masd
        for score in SCORES:
            lower, upper = figures_of_row["masd"][score]["interval"]
            total += 1
            inside += lower <= getattr(truth, score) <= upper
    # 48 intervals of 95 %: fewer than 41 inside has a chance of under 1 in 1,000.
    assert (total, inside >= 41) == (48, True), f"{inside} of {total}"


def test_measure_gives_the_same_bytes(out: Path) -> None:
    run = evenhand("measure", str(out / "evaluations.jsonl"), "--json")
    assert run.returncode == 0
    assert run.stdout == (out / "figures.json").read_text()


def test_the_report_holds_every_evaluation_once(out: Path) -> None:
    evaluations = [json.loads(line) for line in (out / "evaluations.jsonl").read_text().splitlines()]
    ids = [e["evaluation_id"] for e in evaluations]
    assert len(set(ids)) == len(ids)
    assert {e["transcript_id"] for e in evaluations} == {t.transcript_id for t in real_transcripts()}
    originals = [e for e in evaluations if e["row"] == ROBUSTNESS]
    assert len(originals) == 2 * len(real_transcripts())


def test_a_second_run_with_bad_lines_writes_the_same_figures(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "EVENHAND_SAMPLING_ROWS": "agent_disability,past_performance",
    }
    lines = [transcript.model_dump_json() for transcript in real_transcripts()[:20]]
    clean, dirty = tmp_path / "clean.jsonl", tmp_path / "dirty.jsonl"
    clean.write_text("\n".join(lines) + "\n")
    bad = ["{not json", '{"transcript_id": 7}', "", '{"transcript_id": "x", "turns": []}']
    dirty.write_bytes("\n".join([*lines[:5], *bad, *lines[5:]]).encode() + b"\n\xff\xfe\n")
    first = evenhand(
        "demo", "--once", "--transcripts", str(clean), "--out", str(tmp_path / "a"), timeout=200, env=environment
    )
    assert first.returncode == 0, first.stderr
    second = evenhand(
        "demo", "--once", "--transcripts", str(dirty), "--out", str(tmp_path / "b"), timeout=200, env=environment
    )
    assert second.returncode == 1, second.stderr
    for words in (
        "line 6: not_json",
        "line 7: invalid: transcript_id",
        "line 9: invalid: turns",
        "line 25: not_utf8",
    ):
        assert words in second.stderr
    assert (tmp_path / "a" / "figures.json").read_bytes() == (tmp_path / "b" / "figures.json").read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_behind_when_it_is_ended(number: signal.Signals, tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "streams", "demo"],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as demo:
        try:
            assert demo.stderr is not None
            assert "live figures at" in demo.stderr.readline()
            assert len(_using(tmp_path)) >= 3
            demo.send_signal(number)
            demo.communicate(timeout=60)
        finally:
            demo.kill()
    assert demo.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(number, -number)
    until = time.monotonic() + 20
    while _using(tmp_path) and time.monotonic() < until:
        time.sleep(0.2)
    assert _using(tmp_path) == []
    if number != signal.SIGKILL:
        assert list(tmp_path.iterdir()) == []


def _using(directory: Path) -> list[int]:
    """Processes whose environment names the directory."""
    marked = f"TMPDIR={directory}".encode()
    children = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and marked in (process / "environ").read_bytes().split(b"\0"):
                children.append(int(process.name))
        except OSError:
            continue
    return children


def test_wrong_use_is_told_in_one_sentence(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    for arguments, code, words in (
        (["--judge", "nobody"], 2, "no [judges.nobody]"),
        (["--profile", str(tmp_path / "none.toml")], 2, "none.toml"),
        (["--transcripts", str(tmp_path / "none.jsonl")], 2, "none.jsonl"),
        (["--transcripts", str(empty)], 2, "no transcripts"),
        (["--no-such-option"], 2, "No such option"),
    ):
        ran = run_here("demo", "--once", *arguments, cwd=tmp_path)
        assert ran.code == code, ran.err
        assert words in ran.err.splitlines()[-1]
        assert "Traceback" not in ran.err
