"""Fewer arms a transcript: the same CFR for fewer judge calls."""

from __future__ import annotations

import pytest

from benchmarks.design_cost import cost


@pytest.mark.parametrize("arms", [2, 3, 6])
def test_balanced_incomplete_designs_find_the_same_rate(arms: int) -> None:
    estimate = cost(arms, turning=0.05, icc=0.1, questions=10, transcripts=1500)
    assert estimate.cfr == pytest.approx(estimate.truth, rel=0.12)


def test_they_take_fewer_calls_and_more_transcripts() -> None:
    full, three = (cost(arms, turning=0.05, icc=0.1, questions=10, transcripts=1500) for arms in (6, 3))
    assert three.calls < 0.8 * full.calls
    assert three.transcripts > full.transcripts
