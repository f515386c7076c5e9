"""Agreement of two raters."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]

from metrics.figures.agreement import agreement, kappa, kappa_estimate
from metrics.figures.thresholds import Thresholds
from perturbations.records.transcript import Verdict

VERDICTS: tuple[Verdict, ...] = ("yes", "no", "na")
ALL = Thresholds(1, 1)


@given(st.lists(st.tuples(st.sampled_from(VERDICTS), st.sampled_from(VERDICTS)), max_size=40))
def test_kappa_is_cohens(pairs: list[tuple[Verdict, Verdict]]) -> None:
    table = Counter(pairs)
    value = kappa(table)
    counts = np.array([[table[a, b] for b in VERDICTS] for a in VERDICTS], dtype=float)
    if value is None:
        assert not pairs or len({a for a, _ in pairs} | {b for _, b in pairs}) == 1
        return
    assert value == pytest.approx(cohens_kappa(counts, return_results=False))


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("yes", "yes"), ("no", "no")], 1.0),
        ([("yes", "no"), ("no", "yes")], -1.0),
        ([("yes", "yes"), ("yes", "no")], 0.0),
        ([("yes", "yes")] * 3, None),
        ([], None),
    ],
)
def test_kappa_by_hand(pairs: list[tuple[Verdict, Verdict]], expected: float | None) -> None:
    assert kappa(Counter(pairs)) == expected


def test_the_jackknife_interval_holds_the_truth() -> None:
    # Two raters who agree with a common truth in 90 %, independently: kappa about 0.64 at 50 % yes.
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(200):
        ratings: list[tuple[str, Verdict, Verdict]] = []
        for i in range(40):
            truth = rng.random(6) < 0.5
            a, b = (truth ^ (rng.random(6) < 0.1) for _ in range(2))
            ratings += [(f"{i}", "yes" if x else "no", "yes" if y else "no") for x, y in zip(a, b, strict=True)]
        low, high = kappa_estimate(ratings, ALL).interval or (1, 0)
        hits += low <= 0.64 <= high
    assert hits / 200 >= 0.92


def test_agreement_by_question() -> None:
    whole = agreement(
        {
            "q2": [("c-1", "yes", "yes"), ("c-2", "no", "yes")],
            "q1": [("c-1", "na", "na"), ("c-2", "no", "na"), ("c-3", "no", "no")],
        },
        ALL,
    )
    assert (whole.transcripts, whole.answers, whole.agreements, whole.agreement) == (3, 5, 3, 0.6)
    assert [(q.question_id, q.answers, q.agreement) for q in whole.by_question] == [("q1", 3, 2 / 3), ("q2", 2, 0.5)]
    assert whole.interval is not None
    assert whole.interval[0] < 0.6 < whole.interval[1]


def test_too_little_is_said() -> None:
    whole = agreement({"q1": [("c-1", "yes", "yes")]}, Thresholds())
    assert (whole.agreement, whole.kappa, whole.answers) == (None, None, 1)
    assert whole.reasons == {name: "too few (1 of 50) comparisons" for name in ("agreement", "kappa")}


def test_each_question_names_the_transcripts_that_disagree() -> None:
    ratings: dict[str, list[tuple[str, Verdict, Verdict]]] = {
        "q1": [("c-9", "yes", "no"), ("c-1", "no", "no"), ("c-2", "na", "yes"), ("c-9", "no", "yes")],
        "q2": [("c-1", "yes", "yes")],
    }
    whole = agreement(ratings, ALL)
    assert {question.question_id: question.disagreeing for question in whole.by_question} == {
        "q1": ("c-2", "c-9"),
        "q2": (),
    }
