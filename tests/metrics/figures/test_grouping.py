"""Measurements by parts of the traffic."""

from __future__ import annotations

from typing import Any

import pytest

from evaluators.evaluation import Evaluation
from metrics.errors import MeasureError
from metrics.figures.grouping import measure_by
from metrics.figures.measure import dump, measure
from metrics.figures.thresholds import Thresholds
from tests.builders import make_evaluation

ALL = Thresholds(1, 1)


def arms(transcript: str, female: str, **fields: Any) -> list[Evaluation]:
    return [
        make_evaluation(transcript, "agent_gender", "male", "yy", **fields),
        make_evaluation(transcript, "agent_gender", "female", female, **fields),
    ]


def test_each_group_is_measured_alone() -> None:
    banking, retail = arms("c-1", "nn", domain="banking"), arms("c-2", "yn", domain="retail")
    unknown = arms("c-3", "yy")
    groups = measure_by([*retail, *banking, *unknown], "domain", thresholds=ALL)
    assert list(groups) == ["", "banking", "retail"]
    assert [m.rows["agent_gender"].cfr for m in groups.values()] == [0.0, 1.0, 0.5]
    assert dump(groups["banking"]) == dump(measure(banking, thresholds=ALL))


def test_arms_of_one_transcript_stay_together() -> None:
    evaluations = [make_evaluation("c-1", "agent_gender", "male", channel="voice")]
    evaluations.append(make_evaluation("c-1", "agent_gender", "female"))
    groups = measure_by(evaluations, "channel", thresholds=ALL)
    assert list(groups) == ["voice"]
    assert groups["voice"].rows["agent_gender"].pairs == 1


def test_by_label_and_by_judge() -> None:
    evaluations = [
        *arms("c-1", "yy", labels={"team": "a"}, system_id="s1"),
        *arms("c-2", "nn", labels={"team": 7}, system_id="s2"),
        *arms("c-3", "nn", labels={"queue": "x"}, system_id="s2"),
    ]
    assert list(measure_by(evaluations, "label:team", system="s2", thresholds=ALL)) == ["", "7"]
    by_judge = measure_by(evaluations, "judge", thresholds=ALL)
    assert {name: m.rows["agent_gender"].cfr for name, m in by_judge.items()} == {"s1": 0.0, "s2": 1.0}
    assert list(measure_by(evaluations, "judge", system="s1", thresholds=ALL)) == ["s1"]


@pytest.mark.parametrize(
    ("by", "options", "message"),
    [
        ("colour", {}, "domain, channel, language, judge, label:KEY"),
        ("label:", {}, "label:KEY"),
        ("label:team", {"labels": ["queue"]}, "configured ones: queue"),
        ("domain", {"system": "s9"}, "no evaluation of system 's9'"),
    ],
)
def test_what_cannot_be_grouped_by(by: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        measure_by(arms("c-1", "yy"), by, **options)
