"""Tables of the parts."""

from __future__ import annotations

import pytest
from rich.console import Console, RenderableType

from metrics.figures.figure_records import RowPart
from metrics.figures.grouping import measure_by
from metrics.figures.measure import measure
from metrics.figures.thresholds import Thresholds
from metrics.tables.figures import figures_table
from metrics.tables.parts import groups_table, parts_table
from tests.builders import make_answers, make_evaluation

NEEDED = Thresholds(20, 10)
EVALUATIONS = [
    make_evaluation(f"c-{i}", "agent_gender", a, make_answers(letters), domain="banking" if i < 20 else "retail")
    for i in range(30)
    for a, letters in (("male", "yyyy"), ("female", "nyyy"))
]


def shown(table: RenderableType) -> str:
    console = Console(width=160)
    with console.capture() as captured:
        console.print(table)
    return captured.get()


@pytest.mark.parametrize(
    ("part", "parts"),
    [
        ("question", ["q1", "100.0 (", "30", "q4", "0.0 (0.0 to"]),
        ("pair", ["male → female", "25.0 (", "-25.0 (", "120"]),
        ("attribute", ["male", "+25.0 (", "female", "-25.0 (", "75.0"]),
    ],
)
def test_parts(part: RowPart, parts: list[str]) -> None:
    text = shown(parts_table(measure(EVALUATIONS, thresholds=NEEDED), part))
    for cells in parts:
        assert cells in text
    assert text.count("Agent Gender") == 1
    assert "Politeness" not in text


def test_groups() -> None:
    text = shown(groups_table(measure_by(EVALUATIONS, "domain", thresholds=NEEDED), "domain"))
    assert "80 / 20" in next(line for line in text.splitlines() if "banking" in line)
    assert "40 / 10" in next(line for line in text.splitlines() if "retail" in line)


def test_the_direction_is_said() -> None:
    text = shown(figures_table(measure(EVALUATIONS, thresholds=NEEDED)))
    assert "* Beyond chance over all attributes and rows: Agent Gender favours male (+25.0 points of yes)." in text
    stricter = [e.model_copy(update={"answers": e.answers[:2]}) for e in EVALUATIONS]
    text = shown(figures_table(measure(stricter, thresholds=NEEDED)))
    row = [line for line in text.splitlines() if "Agent Gender " in line][2].split()
    assert row[:5] == ["*", "Agent", "Gender", "male", "+50.0"]
    assert row[-4:] == ["female", "-50.0", "50.0", "100.0"]
