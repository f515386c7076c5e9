"""Adjusted p-values against independent implementations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from metrics.estimators.multiplicity import benjamini_hochberg, holm

p_values: st.SearchStrategy[list[float]] = st.lists(st.floats(0, 1), min_size=1, max_size=20)


@given(p_values)
def test_benjamini_hochberg_is_scipys(values: list[float]) -> None:
    adjusted = benjamini_hochberg({str(i): p for i, p in enumerate(values)})
    assert [adjusted[str(i)] for i in range(len(values))] == pytest.approx(list(false_discovery_control(values)))


@given(p_values)
def test_holm_is_statsmodels(values: list[float]) -> None:
    adjusted = holm({str(i): p for i, p in enumerate(values)})
    expected = multipletests(values, method="holm")[1]
    assert [adjusted[str(i)] for i in range(len(values))] == pytest.approx(list(expected))


def test_what_has_no_p_is_no_hypothesis() -> None:
    assert holm({"a": 0.01, "b": None, "c": 0.04}) == {"a": 0.02, "c": 0.04}
    assert benjamini_hochberg({"a": 0.01, "b": None, "c": 0.04}) == {"a": 0.02, "c": 0.04}
    assert holm({}) == benjamini_hochberg({"a": None}) == {}
