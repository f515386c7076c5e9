"""Where each drift comes from: the alarms with the verdict of the anchors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import numpy as np

from evaluators.evaluation import Evaluation
from metrics.alarms.alarms import Alarm
from metrics.alarms.attribution import attribute_change
from metrics.alarms.series import Epoch, Observation


def attributed(
    alarms: Iterable[Alarm],
    epochs: Sequence[Epoch],
    anchors: Sequence[Evaluation],
    *,
    lineages: Mapping[str, str] | None = None,
) -> list[Alarm]:
    """The same alarms, those of drift with a verdict from the anchors of the same judge.

    A swap's change is when the new epoch began; a silent one's is where the flip fractions break most. The verdict
    may come after the alarm, once enough anchors were judged after the change.
    """
    lines = lineages or {}

    def with_cause(alarm: Alarm) -> Alarm:
        changed_at = _changed_at(alarm, epochs)
        if changed_at is None:
            return alarm
        line = lines.get(alarm.model, alarm.model)
        own = [e for e in anchors if lines.get(e.judge.model, e.judge.model) == line]
        return alarm.with_attribution(attribute_change(own, changed_at))

    return [with_cause(alarm) for alarm in alarms]


def _changed_at(alarm: Alarm, epochs: Sequence[Epoch]) -> datetime | None:
    key = (alarm.model, alarm.system_id, alarm.epoch)
    own = [e for e in epochs if (e.model, e.system_id, e.epoch) == key]
    if alarm.kind == "drift" and own:
        return min(e.began for e in own)[0]
    of_row = [e for e in own if e.row == alarm.row]
    if alarm.kind == "silent_drift" and of_row:
        return _break(of_row[0].observations[: alarm.transcripts])
    return None


def _break(observations: Sequence[Observation]) -> datetime:
    """The first observation after the change: where the cumulative sum is farthest below its straight line."""
    x = np.array([o.fraction for o in observations])
    below = np.cumsum(x - x.mean())
    place = min(int(below.argmin()) + 1, len(observations) - 1)
    return observations[place].position[0]
