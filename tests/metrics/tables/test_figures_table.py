"""The table on the terminal."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from rich.console import Console

from evaluators.evaluation import Evaluation
from metrics.figures.measure import measure
from metrics.figures.thresholds import Thresholds
from metrics.tables.figures import figures_table
from tests.builders import make_answers, make_evaluation


class Scores(NamedTuple):
    confidence: float
    positive: float
    improvement: float


class Truth(NamedTuple):
    cfr: float
    masd: Scores
    favours: str | None = None


def shown(evaluations: list[Evaluation], planted: dict[str, Truth] | None = None, **options: str) -> str:
    console = Console(width=160, record=True, file=None, force_terminal=False)
    with console.capture() as captured:
        measurement = measure(evaluations, thresholds=Thresholds(20, 10), system=options.get("system"))
        console.print(figures_table(measurement, planted=planted))
    return captured.get()


def biased(count: int = 30, **fields: str) -> list[Evaluation]:
    evaluations = []
    for i in range(count):
        common = {"transcript_id": f"c-{i}", **fields}
        steady = make_answers("yyyyn", production="nnnnn")
        evaluations += [make_evaluation(answers=steady, repeat=r, **common) for r in (0, 1)]
        evaluations.append(make_evaluation(row="agent_gender", attribute="male", answers="yyyyn", **common))
        evaluations.append(make_evaluation(row="agent_gender", attribute="female", answers="nyyyn", **common))
    return evaluations


def line(text: str, start: str) -> str:
    return next(row for row in text.splitlines() if start in row)


def lines_of_gender(text: str) -> list[str]:
    """The lines of the three tables: verdict, why, who is favoured."""
    return [line for line in text.splitlines() if line[3:].startswith("Agent Gender ")]


def with_placebos(answers: str, count: int = 30) -> list[Evaluation]:
    arms = {"male": "yyyyn", "female": "nyyyn"}
    return [
        make_evaluation(f"c-{i}", "agent_gender", arm, answers or own, draw=1)
        for i in range(count)
        for arm, own in arms.items()
    ]


def test_the_verdict_stands_in_words_and_planted_truth_beside_what_was_measured() -> None:
    truth = {"agent_gender": Truth(0.21, Scores(4.4, 3.3, 2.2), "male"), "robustness": Truth(0.01, Scores(1, 1, 1))}
    text = shown([*biased(), *with_placebos("")], truth)
    row, why, favoured = lines_of_gender(text)
    assert " ".join(row.split()).startswith("▲ Agent Gender reacts to the attribute")
    for part in ("20.0 (", "21.0", "0.0 (4.4)", "0.0 (2.2)", "150 / 30"):
        assert part in row
    assert why.count("+20.0 (") == 2
    assert favoured.split()[:6] == ["*", "Agent", "Gender", "male", "male", "+20.0"]
    assert "* Beyond chance over all attributes and rows: Agent Gender favours male (+20.0 points of yes)." in text
    assert "▲ The judge reacts to the attribute" in text
    assert "0.0 (0.0 to" in line(text, "Robustness")
    assert "planted" not in shown(biased())


@pytest.mark.parametrize(
    ("placebos", "verdict", "why"),
    [
        ([], "can't tell yet", "no placebos"),
        (with_placebos("", 9), "can't tell yet", "too few (9 of 10) transcripts"),
        (with_placebos("nnyyn"), "reacts to any change", "-10.0 ("),
        (with_placebos(""), "reacts to the attribute", ""),
    ],
)
def test_a_row_that_cannot_tell_says_what_it_takes(placebos: list[Evaluation], verdict: str, why: str) -> None:
    row, evidence, _ = lines_of_gender(shown([*biased(), *placebos]))
    assert verdict in row
    assert why in evidence
    assert row.strip().startswith("▲") is (verdict == "reacts to the attribute")


def test_remarks() -> None:
    evaluations = [
        *biased(),
        make_evaluation("c-1", "shoe_size", "large"),
        make_evaluation("c-99", "agent_gender", "male", outcome="refused"),
    ]
    text = shown(evaluations)
    assert "! Agreement with production's answers 20.0 %" in text
    assert "it may not be the judge that production runs" in text
    assert "unknown_row 1" in text
    assert "refused 1" in text
    assert "Without evaluations: agent_ethnicity_name, " in text


def test_too_little_is_said_in_place_of_the_figure() -> None:
    assert "too few (10 of 20) comparisons" in line(shown(biased(2)), "Agent Gender")


def test_a_constant_judge_is_named() -> None:
    evaluations = [make_evaluation(f"c-{i}", answers="yyy", repeat=r) for i in range(20) for r in (0, 1)]
    assert "! This judge doesn't discriminate" in shown(evaluations)


def test_each_system_has_a_table_unless_one_is_chosen() -> None:
    evaluations = biased(system_id="s1") + biased(system_id="s2")
    text = shown(evaluations)
    assert "s1" in text
    assert "s2" in text
    assert text.count(" 20.0 (") == 2
    assert shown(evaluations, system="s2").count(" 20.0 (") == 1


def test_an_empty_measurement_has_a_table() -> None:
    assert "Robustness" in shown([])
