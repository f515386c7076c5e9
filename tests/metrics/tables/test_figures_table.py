"""The table on the terminal."""

from __future__ import annotations

from typing import NamedTuple

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


def test_a_row_beyond_noise_is_marked_and_planted_truth_stands_beside_it() -> None:
    truth = {"agent_gender": Truth(0.21, Scores(4.4, 3.3, 2.2)), "robustness": Truth(0.01, Scores(1, 1, 1))}
    text = shown(biased(), truth)
    row = line(text, "Agent Gender")
    assert row.strip().startswith("▲")
    for part in ("20.0 (", "21.0", "+20.0 (", "0.0 (4.4)", "0.0 (2.2)", "150 / 30"):
        assert part in row
    assert "0.0 (0.0 to" in line(text, "Robustness")
    assert "planted" not in shown(biased())


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
