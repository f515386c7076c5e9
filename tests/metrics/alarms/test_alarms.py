"""Alarms from pairs."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import numpy as np

from metrics.alarms.alarms import AlarmRules
from metrics.pairs.pair import Pair
from tests.builders import at, make_pair
from tests.metrics.complete_flips import alarms, series

START = at("2026-11-30T12:00:00Z")
RULES = AlarmRules(alpha=0.05)


def stream(rate: float, count: int, *, first: int = 0, noise: float = 0.0, **fields: Any) -> list[Pair]:
    """Pairs of one row and of repeats, a transcript a second; `noise` is the repeats' flip rate."""
    rng = np.random.default_rng([first, int(rate * 1000)])
    made = []
    for i in range(first, first + count):
        moment = START + timedelta(seconds=i)
        for row, p in (("agent_gender", rate), ("robustness", noise)):
            flipped = "".join("n" if rng.random() < p else "y" for _ in range(4))
            made.append(make_pair("yyyy", flipped, transcript_id=f"c-{i:05}", row=row, evaluated_at=moment, **fields))
    return made


def test_a_transcript_enters_once_when_its_row_is_complete() -> None:
    gender = make_pair("yy", "yn", transcript_id="c-2", a={"evaluated_at": START}, b={"evaluated_at": START})
    late = {"evaluated_at": START + timedelta(seconds=9)}
    earlier = make_pair("yy", "nn", transcript_id="c-9", b={"evaluated_at": START - timedelta(seconds=1)})
    three = [("environment", "technical"), ("environment", "operational"), ("technical", "operational")]
    context = [
        make_pair("yy", "yn", transcript_id="c-1", row="contextual_metadata", arm_a=a, arm_b=b, b=late)
        for a, b in three
    ]
    repeat = make_pair("yyyy", "yyyn", transcript_id="c-2", row="robustness")
    gender_series, context_series = series([gender, earlier, *context, repeat])
    assert [(o.position[1], o.fraction, o.baseline) for o in gender_series.observations] == [
        ("c-9", 1.0, None),
        ("c-2", 0.5, 0.25),
    ]
    (observation,) = context_series.observations
    assert observation.position == (late["evaluated_at"], "c-1")
    assert observation.fraction == 0.5
    assert [e.row for e in series(context[:2])] == []
    assert [e.row for e in series(context[:2], expected={"contextual_metadata": 2})] == ["contextual_metadata"]


def test_excess_over_the_limit_is_told_with_its_evidence() -> None:
    (alarm,) = alarms(stream(0.3, 150, noise=0.02), RULES)
    assert (alarm.kind, alarm.row, alarm.previous_epoch) == ("excess", "agent_gender", None)
    assert alarm.after > 0.2
    assert alarm.before is not None
    assert alarm.before < 0.1
    assert alarm.log_e_value >= np.log(15 / 0.05)
    assert alarm.transcript_id == f"c-{alarm.transcripts - 1:05}"
    assert alarms(stream(0.3, 150, noise=0.3), RULES) == []


def test_a_rise_with_a_swap_is_drift() -> None:
    old = stream(0.02, 600, epoch="e1")
    new = stream(0.3, 120, first=600, epoch="e2")
    by_kind = {alarm.kind: alarm for alarm in alarms(old + new, RULES)}
    drift = by_kind["drift"]
    assert (drift.epoch, drift.previous_epoch) == ("e2", "e1")
    assert drift.before is not None
    assert drift.before < 0.05 < 0.2 < drift.after
    assert drift.transcripts < 60
    calm = stream(0.02, 120, first=600, epoch="e2")
    assert [a.kind for a in alarms(old + calm, RULES)] == []


def test_a_rise_within_an_epoch_is_silent_drift() -> None:
    pairs = stream(0.02, 1500, noise=0.02) + stream(0.35, 250, first=1500, noise=0.35)
    assert [alarm.kind for alarm in alarms(pairs, RULES)] == ["silent_drift"]


def test_replay_gives_the_same_alarm_at_the_same_transcript() -> None:
    pairs = stream(0.02, 500, epoch="e1") + stream(0.3, 150, first=500, epoch="e2")
    expected = alarms(pairs, RULES)
    assert expected
    shuffled = pairs[:]
    random.Random(1).shuffle(shuffled)
    assert alarms(shuffled, RULES) == expected
    last = max(alarm.transcript_id for alarm in expected)
    assert alarms([pair for pair in pairs if pair.transcript_id <= last], RULES) == expected
    later = stream(0.5, 60, first=900, epoch="e3") + stream(0.5, 60, first=990, judge={"model": "other"})
    assert alarms(pairs + later, RULES)[: len(expected)] == expected


def test_nothing_gives_no_alarm() -> None:
    assert alarms([]) == []
