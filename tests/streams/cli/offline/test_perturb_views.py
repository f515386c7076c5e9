"""`evenhand perturb`: placebos, chosen rows, figures and the view for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perturbations.rows import ROWS
from streams.cli.offline.variant_diff import COLOURS, MARKS, diff_lines
from tests.builders import make_transcript
from tests.streams.command import Ran, run_here
from tests.variants import make_variant

CALL = make_transcript(
    "c-1",
    ("agent", "Hello, this is Michael. How can I help you?"),
    ("customer", "I lost my card, Michael."),
    ("agent", "I see. I can block it now."),
    ("customer", "Yes."),
    ("agent", "Could you please hold?"),
)
REAL = Path(__file__).parents[4] / "streams" / "demo" / "data" / "transcripts.jsonl"
NAMELESS = make_transcript("c-2", ("agent", "I see."), ("customer", "Yes."), agent={}, customer={})


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(f"{each.model_dump_json()}\n" for each in (CALL, NAMELESS)))
    return file


def run(file: Path, *arguments: object) -> Ran:
    return run_here("perturb", str(file), *(str(argument) for argument in arguments), cwd=file.parent)


def lines(ran: Ran) -> list[dict[str, Any]]:
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def test_every_attribute_of_every_row_in_the_tables_order(calls: Path) -> None:
    printed = [(line["transcript_id"], line["row"], line["attribute"]) for line in lines(run(calls))]
    arms = [(name, attribute) for name, row in ROWS.items() for attribute in row.attributes]
    assert printed == [(call, *arm) for call in ("c-1", "c-2") for arm in arms]


def test_rows_and_attributes_may_be_given_more_than_once(calls: Path) -> None:
    chosen = ("--row", "politeness", "--row", "agent_gender", "--attribute", "female", "--attribute", "polite")
    printed = [(line["row"], line["attribute"]) for line in lines(run(calls, *chosen))]
    assert printed == [("agent_gender", "female"), ("politeness", "polite")] * 2


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (("--row", "agent_gender", "--row", "age"), "no such row 'age'; allowed: agent_gender, "),
        (("--row", "agent_gender", "--attribute", "polite"), "no such attribute 'polite'; allowed: female, male"),
        (("--row", "robustness", "--attribute", "male"), "no such attribute 'male'; allowed: original"),
        (("--json",), "--json goes with --stats"),
        (("--json", "--stats", "--diff"), "--json goes with --stats"),
    ],
)
def test_wrong_choices_are_told(calls: Path, chosen: tuple[str, ...], words: str) -> None:
    ran = run(calls, *chosen)
    assert ran.code == 2
    assert words in ran.err
    assert ran.out == ""


def test_a_placebo_stands_behind_its_arm(calls: Path) -> None:
    printed = lines(run(calls, "--placebo", "--row", "agent_profile", "--row", "robustness"))[:9]
    draws = [(line["attribute"], line.get("draw", 0)) for line in printed]
    assert draws == [(a, d) for a in ROWS["agent_profile"].attributes for d in (0, 1)] + [("original", 0)]
    assert all(line["status"] in ("accepted", "original") for line in printed)
    assert len({line["header"] for line in printed}) == 9


def test_the_original_has_no_placebo(calls: Path) -> None:
    printed = lines(run(calls, "--placebo", "--row", "politeness"))[:5]
    assert [(line["attribute"], line.get("draw", 0)) for line in printed] == [
        ("neutral", 0),
        ("neutral", 1),
        ("original", 0),
        ("polite", 0),
        ("polite", 1),
    ]


def test_what_can_be_drawn_only_once_says_so() -> None:
    printed = lines(run(REAL, "--placebo", "--row", "politeness", "--attribute", "neutral"))
    missing = [
        (placebo["status"], placebo["reason"])
        for arm, placebo in zip(printed[::2], printed[1::2], strict=True)
        if arm["status"] == "accepted" != placebo["status"]
    ]
    assert set(missing) == {("not_applicable", "no_second_draw")}


def test_arms_are_the_same_lines_with_and_without_placebos(calls: Path) -> None:
    plain = run(calls).out.splitlines()
    both = run(calls, "--placebo").out.splitlines()
    assert [line for line in both if '"draw"' not in line] == plain


def test_figures_go_to_standard_error_beside_the_lines(calls: Path) -> None:
    ran = run(calls, "--stats", "--row", "agent_gender")
    assert len(lines(ran)) == 4
    assert "agent_gender" in ran.err
    assert "1 (50%)" in ran.err
    assert "no_agent_name 2" in ran.err
    assert "2 transcripts: 2 accepted, 2 not_applicable" in ran.err


def test_figures_as_json_replace_the_lines(calls: Path) -> None:
    ran = run(calls, "--stats", "--json", "--placebo")
    assert ran.code == 0
    rows = json.loads(ran.out)["rows"]
    assert list(rows) == list(ROWS)
    gender = rows["agent_gender"]
    assert (gender["transcripts"], gender["complete"], gender["accepted"]) == (2, 1, 2)
    assert gender["not_applicable"] == {"no_agent_name": 2}
    assert gender["agent_turns_changed_share"] == pytest.approx(1 / 3)
    assert gender["placebo"]["accepted"] == 2
    assert rows["past_performance"]["complete"] == 2


def test_no_transcripts_give_no_figures(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    ran = run(empty, "--stats", "--json")
    assert (ran.code, json.loads(ran.out)) == (0, {"rows": {}})


def test_a_line_that_is_no_transcript_is_told_in_every_view(calls: Path) -> None:
    calls.write_text('{"transcript_id": 7}\n' + calls.read_text())
    for view in ((), ("--diff",), ("--stats",), ("--stats", "--json")):
        ran = run(calls, "--row", "agent_gender", *view)
        assert ran.code == 1
        assert "line 1: invalid" in ran.err
        assert ran.out


def test_the_view_for_people_marks_what_changes(calls: Path) -> None:
    ran = run(calls, "--diff", "--row", "agent_gender", "--row", "agent_disability", "--row", "agent_profile")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    shown = ran.out.splitlines()
    assert "c-1  agent_gender: female" in shown
    assert any(line.startswith("   [0] agent: Hello, this is [-Michael-]{+") for line in shown)
    assert any(line.startswith("   [1] customer: I lost my card, [-Michael-]{+") for line in shown)
    assert any("[+" in line and "agent: {+" in line for line in shown)
    assert "  [h]  {+Agent role: Trainee+}" in shown
    assert "c-1  agent_disability: none  - the transcript as it is" in shown
    assert "c-2  agent_gender: male  - not applicable: no_agent_name" in shown
    assert not any("I can block it now" in line for line in shown)


def test_colours_stand_in_the_place_of_marks() -> None:
    variant = make_variant(CALL, ROWS["agent_gender"], "female", seed=7)
    shown = "\n".join(diff_lines(CALL, variant, COLOURS))
    assert "\x1b[31m" in shown
    assert "[-" not in shown


def test_control_characters_and_long_stretches() -> None:
    call = make_transcript("c-1", ("agent", f"This is Michael.\x1b[2J\n{'word ' * 100}\u202eBye."))
    variant = make_variant(call, ROWS["agent_gender"], "female", seed=7)
    shown = list(diff_lines(call, variant, MARKS))
    assert len(shown) == 2
    assert "\\x1b[2J" in shown[1]
    assert "\x1b" not in shown[1]
    assert "\n       word" in shown[1]
    assert shown[1].endswith(" ...")
    assert len(shown[1]) < 200
