"""Two measurements side by side."""

from __future__ import annotations

import pytest
from rich.console import Console

from evaluators.evaluation import Evaluation, Judge
from metrics.errors import MeasureError
from metrics.figures.system_comparison import SystemComparison, compare_systems
from metrics.figures.thresholds import Thresholds
from metrics.tables.change import change_table
from tests.builders import make_evaluation

NEEDED = Thresholds(20, 10)


def judged(flipped: int, *, system: str, count: int = 30) -> list[Evaluation]:
    """Transcripts of four questions of which the first `flipped` ones have one answer turned."""
    return [
        make_evaluation(
            f"c-{i}",
            "agent_gender",
            arm,
            "nyyy" if arm == "female" and i < flipped else "yyyy",
            system_id=system,
            judge=Judge(provider="openai", model=f"judge-{system}"),
        )
        for i in range(count)
        for arm in ("male", "female")
    ]


def shown(comparison: SystemComparison) -> str:
    console = Console(width=160)
    with console.capture() as captured:
        console.print(change_table(comparison))
    return captured.get()


def test_a_rise_is_given_with_its_interval_and_marked() -> None:
    comparison = compare_systems(judged(2, system="a"), judged(28, system="b"), thresholds=NEEDED)
    cfr = comparison.rows["agent_gender"].cfr
    assert (cfr.before, cfr.after) == (2 / 120, 28 / 120)
    assert cfr.interval is not None
    assert 0 < cfr.interval[0] < 26 / 120 < cfr.interval[1]
    assert (comparison.before.system, comparison.after.system) == ("a", "b")
    text = shown(comparison)
    assert "From judge-a to judge-b" in text
    row = next(line for line in text.splitlines() if "Agent Gender" in line)
    assert row.strip().startswith("▲")
    for part in ("1.7", "23.3", "+21.7 (", "30 / 30"):
        assert part in row
    assert "Politeness" not in text
    fell = shown(compare_systems(judged(28, system="a"), judged(2, system="b"), thresholds=NEEDED))
    assert "▼ Agent Gender" in fell


def test_what_a_side_lacks_is_said_in_place_of_the_change() -> None:
    text = shown(compare_systems([], judged(2, system="b"), thresholds=NEEDED))
    assert "From unnamed to judge-b" in text
    assert "before: too few (0 of 20) comparisons" in text


def test_two_systems_of_one_input_can_be_compared() -> None:
    both = [*judged(2, system="a"), *judged(28, system="b")]
    comparison = compare_systems(both, both, before_system="a", after_system="b", thresholds=NEEDED)
    assert comparison == compare_systems(judged(2, system="a"), judged(28, system="b"), thresholds=NEEDED)


@pytest.mark.parametrize(
    ("before_system", "after_system", "message"),
    [
        (None, "b", "2 systems before the change, choose one: 'a', 'b'"),
        ("a", None, "2 systems after the change, choose one: 'a', 'b'"),
        ("x", "b", "no evaluation of system 'x' before the change"),
    ],
)
def test_a_side_with_several_systems_needs_a_choice(
    before_system: str | None, after_system: str | None, message: str
) -> None:
    both = [*judged(2, system="a"), *judged(3, system="b")]
    with pytest.raises(MeasureError, match=message):
        compare_systems(both, both, before_system=before_system, after_system=after_system)
