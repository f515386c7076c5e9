"""`evenhand measure`: files of evaluations in, figures out; order, duplicates and splits make no difference."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluators.evaluation import Evaluation
from metrics.figures.measure import dump, measure
from perturbations.rows import ROWS
from tests.builders import make_evaluation
from tests.streams.command import run, run_here

ANSWERS = ("yynyn", "ynnyy", "nnyyn", "yyyyn")


def some_evaluations(transcripts: int = 30) -> list[Evaluation]:
    """Originals, a repeat, both genders, and a refusal here and there."""
    arms: list[dict[str, Any]] = [
        {"attribute": "original"},
        {"attribute": "original", "repeat": 1},
        {"row": "agent_gender", "attribute": "male"},
        {"row": "agent_gender", "attribute": "female"},
    ]
    made = []
    for n in range(transcripts):
        for k, arm in enumerate(arms):
            outcome = "refused" if n % 11 == 10 and k == 3 else "ok"
            answers = ANSWERS[(n * (k + 1)) % len(ANSWERS)]
            made.append(make_evaluation(f"c-{n}", answers=answers, outcome=outcome, system_id="s", epoch="e", **arm))
    return made


def write(file: Path, evaluations: Sequence[Evaluation]) -> str:
    file.write_text("".join(e.model_dump_json() + "\n" for e in evaluations), encoding="utf-8")
    return file.name


def test_the_same_bytes_for_shuffled_split_and_doubled_input(tmp_path: Path) -> None:
    evaluations = some_evaluations()
    whole = run_here("measure", write(tmp_path / "whole.jsonl", evaluations), "--json", cwd=tmp_path)
    assert (whole.code, whole.err) == (0, "")
    assert whole.out == dump(measure(evaluations))
    figures = json.loads(whole.out)
    assert figures["rows"]["agent_gender"]["comparisons"] > 50
    assert figures["rows"]["agent_gender"]["cfr"] > 0

    shuffled = evaluations.copy()
    random.Random(3).shuffle(shuffled)
    first = write(tmp_path / "one.jsonl", shuffled[:40])
    second = write(tmp_path / "two.jsonl", [*shuffled[30:], *shuffled[:5]])
    for files in ([first, second], [second, first, first]):
        assert run_here("measure", *files, "--json", cwd=tmp_path).out == whole.out
    stdin = b"".join((tmp_path / name).read_bytes() for name in (second, first))
    assert run("measure", "-", "--json", cwd=tmp_path, stdin=stdin).out == whole.out


def test_the_table_names_the_rows_that_have_figures(tmp_path: Path) -> None:
    ran = run_here("measure", write(tmp_path / "e.jsonl", some_evaluations()), cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert ROWS["agent_gender"].title in ran.out
    assert "Robustness" in ran.out


def test_nothing_in_is_valid_and_gives_every_row_its_reason(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    ran = run_here("measure", "empty.jsonl", "--json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    figures = json.loads(ran.out)
    assert list(figures["rows"]) == list(ROWS)
    assert {row["cfr"] for row in figures["rows"].values()} == {None}
    assert figures["rows"]["politeness"]["reasons"]["cfr"] == "too few (0 of 50) comparisons"
    assert run_here("measure", "empty.jsonl", cwd=tmp_path).code == 0


def test_a_bad_line_is_told_with_its_file_and_number_and_the_rest_is_measured(tmp_path: Path) -> None:
    evaluations = some_evaluations()
    good = [e.model_dump_json() for e in evaluations]
    secret = "xylophone"
    lines = [*good[:2], f'{{"row": "{secret}"}}', "", f"{{{secret}", *good[2:], '{"transcript_id": "x"}']
    (tmp_path / "mixed.jsonl").write_text("\r\n".join(lines), encoding="utf-8-sig")
    ran = run_here("measure", "mixed.jsonl", "--json", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out == dump(measure(evaluations))
    said = ran.err.splitlines()
    assert [line.partition(": ")[0] for line in said] == [f"mixed.jsonl:{n}" for n in (3, 5, len(lines))]
    assert [line.split(": ")[1] for line in said] == ["invalid", "not_json", "invalid"]
    assert secret not in ran.err
    from_stdin = run_here("measure", "-", cwd=tmp_path, stdin=b"{}\n")
    assert from_stdin.code == 1
    assert from_stdin.said("standard input:1: invalid")


def test_a_system_can_be_chosen_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    evaluations = some_evaluations()
    others = [e.model_copy(update={"system_id": "other", "epoch": "e2"}) for e in evaluations]
    file = write(tmp_path / "e.jsonl", [*evaluations, *others])
    both = json.loads(run_here("measure", file, "--json", cwd=tmp_path).out)
    assert set(both["by_system"]) == {"s:e", "other:e2"}
    assert both["rows"]["agent_gender"]["cfr"] is None
    assert both["rows"]["agent_gender"]["reasons"]["cfr"]
    chosen = json.loads(run_here("measure", file, "--json", "--system", "s:e", cwd=tmp_path).out)
    assert chosen["rows"]["agent_gender"]["cfr"] == both["by_system"]["s:e"]["rows"]["agent_gender"]["cfr"]
    assert chosen["rows"]["agent_gender"]["cfr"] is not None
    unknown = run_here("measure", file, "--system", "nobody", cwd=tmp_path)
    assert (unknown.code, unknown.out) == (2, "")
    assert unknown.said("nobody", "s:e", "other:e2")


@pytest.mark.parametrize("option", ["comparisons", "transcripts"])
def test_the_thresholds_are_the_configurations(option: str, tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl", some_evaluations())
    variable = f"EVENHAND_METRICS_MINIMUM_{option.upper()}"
    ran = run_here("measure", file, "--json", cwd=tmp_path, environment={variable: "10000"})
    row = json.loads(ran.out)["rows"]["agent_gender"]
    assert row["cfr"] is None
    assert row["reasons"]["cfr"].endswith(f"of 10000) {option}")


def test_the_least_that_a_line_must_hold(tmp_path: Path) -> None:
    # What others write: four fields, and null for what they don't know.
    lines = [
        {
            "transcript_id": f"c-{n}",
            "row": "agent_gender",
            "attribute": attribute,
            "outcome": "ok",
            "answers": [{"question_id": "q", "answer": "yes" if n % 3 or attribute == "male" else "no"}],
            "positive_score": None,
            "epoch": None,
        }
        for n in range(60)
        for attribute in ("male", "female")
    ]
    (tmp_path / "e.jsonl").write_text("\n".join(map(json.dumps, lines)))
    ran = run_here("measure", "e.jsonl", "--json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    row = json.loads(ran.out)["rows"]["agent_gender"]
    assert (row["comparisons"], row["flips"], row["cfr"]) == (60, 20, 20 / 60)
    assert row["masd"]["positive"]["value"] is None
