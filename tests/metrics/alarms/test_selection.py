"""e-BH."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.alarms.selection import Step, e_bh, first_selected

values = st.dictionaries(st.integers(0, 9), st.floats(-5, 12), max_size=8)


@given(values, st.sampled_from([0.001, 0.05, 0.2]), st.integers(8, 15))
def test_it_is_the_largest_self_consistent_set(log_e: dict[int, float], alpha: float, hypotheses: int) -> None:
    consistent = [
        frozenset(chosen)
        for k in range(1, len(log_e) + 1)
        for chosen in combinations(log_e, k)
        if all(log_e[name] >= math.log(hypotheses / (alpha * k)) for name in chosen)
    ]
    largest = frozenset().union(*consistent) if consistent else frozenset()
    assert e_bh(log_e, alpha=alpha, hypotheses=hypotheses) == largest


def test_many_hypotheses_ask_for_more_evidence_of_a_lone_one() -> None:
    assert e_bh({"a": math.log(21)}, alpha=0.05, hypotheses=1) == {"a"}
    assert e_bh({"a": math.log(21)}, alpha=0.05, hypotheses=2) == frozenset()
    assert e_bh({"a": math.log(21), "b": math.log(20.5)}, alpha=0.05, hypotheses=2) == {"a", "b"}


def test_each_is_told_once_when_it_is_first_selected() -> None:
    steps = [
        Step("a", 1, math.log(30)),
        Step("b", 2, math.log(5)),
        Step("b", 3, math.log(25)),
        Step("a", 4, math.log(100)),
        Step("c", 5, math.log(60)),
    ]
    selected = first_selected(steps, alpha=0.05, hypotheses=lambda _: 2)
    assert {step.hypothesis: step.at for step in selected} == {"a": 3, "b": 3, "c": 5}
    assert {step.hypothesis: step.log_e for step in selected}["a"] == pytest.approx(math.log(30))


def test_nothing_selected_below_the_line() -> None:
    assert first_selected([Step("a", 1, 2.9)], alpha=0.05, hypotheses=lambda _: 1) == []


def test_the_number_of_hypotheses_is_that_of_the_moment() -> None:
    steps = [Step("a", moment, math.log(50)) for moment in range(5)]
    selected = first_selected(steps, alpha=0.05, hypotheses=lambda moment: 1 if moment == 3 else 9)
    assert [(step.hypothesis, step.at) for step in selected] == [("a", 3)]
