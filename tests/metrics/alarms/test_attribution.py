"""Judge or traffic."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from benchmarks.attribution import verdicts
from evaluators.evaluation import Evaluation
from metrics.alarms.attribution import attribute_change
from tests.builders import at, make_evaluation

CHANGE = at("2026-11-30T12:00:00Z")


def anchor(i: int, *rounds: tuple[int, str]) -> list[Evaluation]:
    return [
        make_evaluation(f"c-{i}", answers=letters, repeat=n, evaluated_at=CHANGE + timedelta(hours=hours))
        for n, (hours, letters) in enumerate(rounds)
    ]


def test_answers_that_change_on_the_same_texts_are_the_judges() -> None:
    attribution = attribute_change(
        [e for i in range(12) for e in anchor(i, (-2, "yy"), (-1, "yy"), (1, "yn"))], CHANGE
    )
    assert (attribution.verdict, attribution.anchors) == ("judge", 12)
    assert (attribution.disagreement_before, attribution.disagreement_across) == (0.0, 0.5)


def test_answers_that_stay_are_the_traffics() -> None:
    rounds = [(-3, "yyy"), (-2, "yyn"), (1, "yyy"), (2, "yyn")]
    attribution = attribute_change([e for i in range(12) for e in anchor(i, *rounds)], CHANGE)
    assert attribution.verdict == "traffic"
    assert attribution.disagreement_before == pytest.approx(1 / 3)


def test_too_few_anchors_give_no_verdict() -> None:
    once = [e for i in range(30) for e in anchor(i, (-1, "y"), (1, "n"))]
    attribution = attribute_change(once + anchor(99, (-2, "y"), (-1, "y"), (1, "y")), CHANGE)
    assert (attribution.verdict, attribution.anchors) == (None, 1)
    assert attribution.reason == "too few (1 of 10) anchors judged before and after"


def test_most_verdicts_are_right() -> None:
    rng = np.random.default_rng(1)
    assert verdicts("judge", 20, rng).count("judge") >= 19
    assert verdicts("traffic", 20, rng).count("traffic") >= 19
