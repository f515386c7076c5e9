"""`evenhand measure --by` and `--against`: figures taken apart, and before and after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metrics.figures.grouping import measure_by
from metrics.figures.measure import dump, measure
from tests.builders import make_answers, make_evaluation
from tests.streams.command import Ran, run_here


def write(file: Path, **fields: Any) -> str:
    """40 transcripts in two domains and teams; the female arm loses its first answer in the first half."""
    evaluations = [
        make_evaluation(
            f"c-{i:02}",
            "agent_gender",
            arm,
            make_answers("nyyy" if arm == "female" and i < 20 else "yyyy"),
            domain="banking" if i < 20 else "retail",
            labels={"team": "red" if i % 2 else "blue"},
            **fields,
        )
        for i in range(40)
        for arm in ("male", "female")
    ]
    file.write_text("".join(e.model_dump_json() + "\n" for e in evaluations), encoding="utf-8")
    return file.name


def ran(directory: Path, *arguments: str, **options: Any) -> Ran:
    ran = run_here("measure", *arguments, cwd=directory, **options)
    assert (ran.code, ran.err) == (0, "")
    return ran


@pytest.mark.parametrize(
    ("by", "words"),
    [("question", "q1"), ("pair", "male → female"), ("attribute", "net advantage"), ("domain", "retail")],
)
def test_each_way_has_a_table_and_json(by: str, words: str, tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    text = ran(tmp_path, file, "--by", by).out
    assert words in text
    assert "Agent Gender" in text
    assert json.loads(ran(tmp_path, file, "--by", by, "--json").out)["by"] == by


def test_parts_are_those_of_the_whole_measurement(tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    whole = json.loads(ran(tmp_path, file, "--json").out)
    parts = json.loads(ran(tmp_path, file, "--by", "attribute", "--json").out)
    assert parts["rows"]["agent_gender"] == whole["rows"]["agent_gender"]["by_attribute"]
    assert parts["rows"]["agent_gender"][0]["net_advantage"] == pytest.approx(0.125)


def test_groups_are_measurements_of_their_own(tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    groups = json.loads(ran(tmp_path, file, "--by", "label:team", "--json").out)["groups"]
    assert {name: group["rows"]["agent_gender"]["transcripts"] for name, group in groups.items()} == {
        "blue": 20,
        "red": 20,
    }
    assert groups["red"]["rows"]["agent_gender"]["cfr"] == pytest.approx(0.125)


def test_labels_are_those_of_the_configuration(tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    environment = {"EVENHAND_METRICS_LABEL_KEYS": "queue,team"}
    assert "red" in ran(tmp_path, file, "--by", "label:team", environment=environment).out
    refused = run_here("measure", file, "--by", "label:agent", cwd=tmp_path, environment=environment)
    assert refused.code == 2
    assert refused.said("agent", "queue, team")


def test_several_systems_have_a_table_each(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.jsonl", system_id=name, epoch="e") for name in ("old", "new")]
    text = ran(tmp_path, *files, "--by", "pair").out
    assert text.index("new:e") < text.index("old:e")
    plain = json.loads(ran(tmp_path, *files, "--by", "pair", "--json").out)
    assert set(plain["by_system"]) == {"old:e", "new:e"}
    assert plain["by_system"]["new:e"]["rows"]["agent_gender"][0]["cfr"] == pytest.approx(0.125)
    judges = json.loads(ran(tmp_path, *files, "--by", "judge", "--json").out)["groups"]
    assert set(judges) == {"old:e", "new:e"}
    chosen = ran(tmp_path, *files, "--by", "domain", "--system", "new:e", "--json").out
    assert json.loads(chosen)["groups"]["banking"]["rows"]["agent_gender"]["cfr"] == pytest.approx(0.25)


def test_before_and_after(tmp_path: Path) -> None:
    calm = [make_evaluation(f"c-{i:02}", "agent_gender", a, "yyyy") for i in range(40) for a in ("male", "female")]
    (tmp_path / "old.jsonl").write_text("".join(e.model_dump_json() + "\n" for e in calm))
    new = write(tmp_path / "new.jsonl", system_id="new")
    row = json.loads(ran(tmp_path, new, "--against", "old.jsonl", "--json").out)["rows"]["agent_gender"]
    assert (row["cfr"]["before"], row["cfr"]["after"]) == (0.0, pytest.approx(0.125))
    assert row["cfr"]["interval"][0] > 0
    assert "+12.5 (" in ran(tmp_path, new, "--against", "old.jsonl").out
    same = ran(tmp_path, new, "old.jsonl", "--system", "new", "--against-system", "", "--json").out
    assert json.loads(same)["rows"]["agent_gender"] == row


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    for arguments, words in (
        (["--by", "shoe_size"], "--by: 'shoe_size' is none of question, pair, attribute, domain"),
        (["--by", "domain", "--against", file], "don't go together"),
        (["--against", "none.jsonl"], "none.jsonl"),
        (["--against-system", "nobody"], "no evaluation of system 'nobody' before the change"),
    ):
        refused = run_here("measure", file, *arguments, cwd=tmp_path)
        assert (refused.code, refused.out) == (2, "")
        assert refused.said(words)


def test_a_bad_line_before_the_change_is_told_too(tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    (tmp_path / "old.jsonl").write_text((tmp_path / file).read_text() + "{}\n")
    ran = run_here("measure", file, "--against", "old.jsonl", cwd=tmp_path)
    assert ran.code == 1
    assert ran.said("old.jsonl:81: invalid")


FORM = """
pass_mark = 90
[[questions]]
question_id = "q1"
text = "Greeted?"
weight = 3
auto_fail = true
[[questions]]
question_id = "q2"
text = "Helped?"
"""


def test_the_form_is_the_configured_one(tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    (tmp_path / "form.toml").write_text(FORM)
    plain = json.loads(ran(tmp_path, file, "--json").out)["rows"]["agent_gender"]["form"]
    assert (plain["pass_change"], plain["score_difference"]) == (0.0, pytest.approx(12.5))
    marked = ran(tmp_path, file, "--json", environment={"EVENHAND_RUBRIC": "form.toml"}).out
    form = json.loads(marked)["rows"]["agent_gender"]["form"]
    assert (form["pass_change"], form["score_difference"]) == (0.5, pytest.approx(25.0))
    refused = run_here("measure", file, cwd=tmp_path, environment={"EVENHAND_RUBRIC": "none.toml"})
    assert refused.code == 2
    assert refused.said("none.toml")


def test_how_many_transcripts_it_takes_is_said(tmp_path: Path) -> None:
    file = write(tmp_path / "e.jsonl")
    environment = {"EVENHAND_METRICS_PRECISION": "0.005", "EVENHAND_METRICS_MINIMUM_TRANSCRIPTS": "50"}
    row = json.loads(ran(tmp_path, file, "--json", environment=environment).out)["rows"]["agent_gender"]
    assert row["cfr"] is None
    assert row["transcripts_needed"] > 1000
    text = ran(tmp_path, file, environment=environment).out
    assert f"± 0.5 points of CFR, about: Agent Gender {row['transcripts_needed']:,}." in text


def test_without_any_option_the_bytes_are_those_of_the_measurement(tmp_path: Path) -> None:
    evaluations = [make_evaluation(f"c-{i}", "agent_gender", a) for i in range(30) for a in ("male", "female")]
    (tmp_path / "e.jsonl").write_text("".join(e.model_dump_json() + "\n" for e in evaluations))
    assert ran(tmp_path, "e.jsonl", "--json").out == dump(measure(evaluations))
    groups = json.loads(ran(tmp_path, "e.jsonl", "--by", "channel", "--json").out)["groups"]
    assert groups == {name: json.loads(dump(group)) for name, group in measure_by(evaluations, "channel").items()}
