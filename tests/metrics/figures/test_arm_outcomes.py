"""Arms that fail unequally often."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar  # type: ignore[import-untyped]

from metrics.figures.arm_outcomes import even_odds_p_value, failed_by_arm, failure_p_value
from metrics.figures.measure import measure
from metrics.figures.thresholds import Thresholds
from metrics.tables.figures import figures_table
from tests.builders import make_evaluation


@given(st.integers(2, 5).flatmap(lambda k: st.lists(st.lists(st.booleans(), min_size=k, max_size=k), min_size=1)))
def test_the_tests_are_mcnemar_and_cochran(rows: list[list[bool]]) -> None:
    arms = [f"a{i}" for i in range(len(rows[0]))]
    failed = {f"c-{i}": dict(zip(arms, row, strict=True)) for i, row in enumerate(rows)}
    p_value = failure_p_value(failed, arms)
    if all(len(set(row)) == 1 for row in rows):
        assert p_value == 1.0
    elif len(arms) == 2:
        table = [[sum(row == [x, y] for row in rows) for y in (True, False)] for x in (True, False)]
        assert p_value == pytest.approx(mcnemar(table, exact=True).pvalue)
    else:
        assert p_value == pytest.approx(cochrans_q(np.array(rows, dtype=int)).pvalue)


def test_even_odds_are_the_exact_binomial_test_to_the_last_digit() -> None:
    few = [(successes, trials) for trials in range(1, 61) for successes in range(trials + 1)]
    many = [(successes, trials) for trials in (99, 100, 251, 1000, 4001) for successes in range(0, trials + 1, 13)]
    for successes, trials in few + many:
        assert even_odds_p_value(successes, trials) == binomtest(successes, trials).pvalue, (successes, trials)


def test_only_transcripts_with_every_arm_count_and_skipped_ones_were_never_asked() -> None:
    arms = {
        "male": [make_evaluation(f"c-{i}", outcome="refused") for i in range(6)],
        "female": [make_evaluation(f"c-{i}", outcome="ok" if i < 4 else "skipped") for i in range(6)],
    }
    assert failure_p_value(failed_by_arm(arms), ["male", "female"]) == 2 * 0.5**4
    assert failure_p_value({}, ["male", "female"]) is None
    assert failure_p_value({"c-1": {"male": True}}, ["male", "female"]) is None


def test_a_measurement_tests_and_tells_them() -> None:
    evaluations = []
    for i in range(30):
        evaluations.append(make_evaluation(f"c-{i}", "agent_gender", "male"))
        evaluations.append(make_evaluation(f"c-{i}", "agent_gender", "female", outcome="refused" if i < 9 else "ok"))
        evaluations += [make_evaluation(f"c-{i}", "formality", a) for a in ("neutral", "formal")]
    measurement = measure(evaluations, thresholds=Thresholds(1, 1))
    rows = measurement.rows
    assert rows["agent_gender"].outcomes_p_value == rows["agent_gender"].outcomes_p_adjusted == 2 * 0.5**9
    assert rows["formality"].outcomes_p_value is None
    assert rows["formality"].reasons["outcomes_p_value"] == "no transcript was asked about in every arm"
    console = Console(width=200)
    with console.capture() as captured:
        console.print(figures_table(measurement))
    assert "! Agent Gender: some arms fail more often than others (male 0, female 9)." in captured.get()
