"""Which alarms ring, and what swaps changed."""

from __future__ import annotations

from datetime import timedelta

from evaluators.judges.deployment import Deployment
from metrics.alarms.alarms import Alarm, AlarmRules, alarms_of
from metrics.alarms.series import TranscriptFlips, epochs_of
from metrics.alarms.state import LATEST, signals, swaps
from metrics.figures.thresholds import Thresholds
from metrics.tables.alarms import alarms_table, e_value
from tests.builders import at
from tests.shown import shown

START = at("2026-11-30T12:00:00Z")


def flips(
    flipped: int, count: int, *, first: int = 0, epoch: str = "e1", model: str = "m", row: str = "agent_gender"
) -> list[TranscriptFlips]:
    """Transcripts of ten comparisons each, a minute apart, of which `flipped` flip; the repeats never do."""
    return [
        TranscriptFlips("p", model, "s", epoch, row, f"c-{i:05}", START + timedelta(minutes=i), flipped, 10, 0, 10)
        for i in range(first, first + count)
    ]


def ringing(transcripts: list[TranscriptFlips], alarms: list[Alarm]) -> set[tuple[str, str]]:
    return {(signal.row, signal.kind) for signal in signals(epochs_of(transcripts), alarms) if signal.rings}


def test_every_row_that_is_watched_has_a_signal_of_each_kind() -> None:
    transcripts = flips(0, 5) + flips(0, 5, row="politeness") + flips(0, 5, model="other")
    given = signals(epochs_of(transcripts), [])
    assert [(signal.model, signal.row, signal.kind) for signal in given] == [
        (model, row, kind)
        for model, row in (("m", "agent_gender"), ("m", "politeness"), ("other", "agent_gender"))
        for kind in ("excess", "drift", "silent_drift")
    ]
    assert not any(signal.rings for signal in given)
    assert signals([], []) == []


def test_an_alarm_rings_until_a_new_epoch_has_served_enough() -> None:
    old = flips(5, 200)
    alarms = alarms_of(epochs_of(old), AlarmRules(alpha=0.05))
    assert {alarm.kind for alarm in alarms} == {"excess"}
    assert ringing(old, alarms) == {("agent_gender", "excess")}
    for served, rings in ((1, True), (LATEST - 1, True), (LATEST, False)):
        transcripts = old + flips(0, served, first=200, epoch="e2")
        assert (("agent_gender", "excess") in ringing(transcripts, alarms)) is rings


def test_a_model_that_alternates_has_both_epochs_present() -> None:
    transcripts = [transcript for i in range(150) for transcript in flips(5 * (i % 2), 1, first=i, epoch=f"e{i % 2}")]
    alarms = alarms_of(epochs_of(transcripts), AlarmRules(alpha=0.05))
    assert {(alarm.kind, alarm.epoch) for alarm in alarms} >= {("excess", "e1")}
    assert ("agent_gender", "excess") in ringing(transcripts, alarms)


def test_drift_goes_over_models_where_a_deployment_says_so() -> None:
    transcripts = flips(0, 400, model="a") + flips(3, 120, first=400, epoch="e2", model="b")
    rules = AlarmRules(alpha=0.05, limit=0.9)
    assert alarms_of(epochs_of(transcripts), rules) == []
    (drift,) = alarms_of(epochs_of(transcripts), rules, lineages={"a": "judges.main", "b": "judges.main"})
    assert (drift.kind, drift.model, drift.epoch, drift.previous_epoch) == ("drift", "b", "e2", "e1")


def test_a_swap_says_what_it_changed_and_whether_it_was_announced() -> None:
    transcripts = flips(1, 30) + flips(5, 30, first=30, epoch="e2") + flips(1, 30, first=60, model="other")
    (swap,) = swaps(transcripts, Thresholds(50, 20))
    assert (swap.model, swap.previous_epoch, swap.epoch, swap.deployment_id) == ("m", "e1", "e2", None)
    assert swap.began_at == START + timedelta(minutes=30)
    change = swap.rows["agent_gender"]
    assert (change.before, change.after) == (0.1, 0.5)
    assert change.interval is not None
    assert 0 < change.interval[0] < 0.4 < change.interval[1]
    assert swap.rows["politeness"].reason == (
        "before: too few (0 of 50) comparisons; after: too few (0 of 50) comparisons"
    )
    early, late = (
        Deployment(judge="main", model="m", occurred_at=START + timedelta(minutes=minutes)).with_id()
        for minutes in (29, 31)
    )
    assert swaps(transcripts, deployments=[late])[0].deployment_id is None
    assert swaps(transcripts, deployments=[late, early])[0].deployment_id == early.deployment_id
    over = Deployment(judge="main", model="other", previous_model="m", occurred_at=START)
    assert [(s.previous_model, s.model) for s in swaps(transcripts, deployments=[over])] == [
        ("m", "m"),
        ("m", "other"),
    ]


def test_the_table_lists_alarms_and_swaps() -> None:
    transcripts = flips(0, 300) + flips(5, 60, first=300, epoch="e2")
    alarms = alarms_of(epochs_of(transcripts), AlarmRules(alpha=0.05))
    text = shown(alarms_table(alarms, swaps(transcripts), alpha=0.05))
    assert "Alarms at alpha 0.05" in text
    row = next(line for line in text.splitlines() if "rose with a swap" in line)
    for part in ("Agent Gender", "m", "e2", "0.0", "50.0", "2026-11-30 17:"):
        assert part in row
    assert "Swap of m to epoch e2" in text
    assert "(not announced), points of CFR: Agent Gender +50.0 (" in text
    assert "No alarms at alpha 0.001." in shown(alarms_table([], alpha=0.001))


def test_e_values_beyond_a_float() -> None:
    assert e_value(0.0) == "1.0e+0"
    assert e_value(7.0) == "1.1e+3"
    assert e_value(2303.0) == "1.5e+1000"
