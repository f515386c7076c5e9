"""What the alarms come to: which ring now, and how each swap changed the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from pydantic import BaseModel

from evaluators.judges.deployment import Deployment, lines_of
from metrics.alarms.alarms import KINDS, Alarm, AlarmKind
from metrics.alarms.series import Epoch, SeriesPosition, TranscriptFlips
from metrics.estimators.interval import Cluster
from metrics.figures.row_change import FigureChange, cfr_change
from metrics.figures.thresholds import DEFAULT, Thresholds
from perturbations.records.reading import OWN
from perturbations.rows import ROWS

LATEST = 100
"""An epoch that served any of a model's so many latest observations of a row is a present one."""

EpochKey = tuple[str, str, str]
"""Model, system_id, epoch."""


@dataclass(frozen=True)
class Signal:
    """Whether an alarm of this kind rings for a row under a model's present epochs."""

    row: str
    model: str
    kind: AlarmKind
    rings: bool


class Swap(BaseModel):
    """One epoch that followed another of the same judge, and what it did to each row's CFR.

    `deployment_id` is the latest announced deployment of that model until then, None where nobody announced it.
    """

    model_config = OWN

    model: str
    system_id: str
    epoch: str
    previous_model: str
    previous_epoch: str
    began_at: datetime
    deployment_id: str | None = None
    rows: dict[str, FigureChange]


def signals(epochs: Sequence[Epoch], alarms: Iterable[Alarm]) -> list[Signal]:
    """A signal of each kind for each row that each model has observations of, ordered by model, row and kind.

    A model that alternates between two epochs has both as present ones; after a swap the old one's alarms end once
    the new one has served enough.
    """
    ringing = {(a.row, a.model, a.system_id, a.epoch, a.kind) for a in alarms}
    present = _present(epochs)
    return [
        Signal(row, model, kind, rings=any((row, *key, kind) in ringing for key in present[model, row]))
        for model, row in sorted(present, key=lambda key: (key[0], list(ROWS).index(key[1])))
        for kind in KINDS
    ]


def _present(epochs: Sequence[Epoch]) -> dict[tuple[str, str], set[EpochKey]]:
    latest: dict[tuple[str, str], list[tuple[SeriesPosition, EpochKey]]] = {}
    for e in epochs:
        key = (e.model, e.system_id, e.epoch)
        latest.setdefault((e.model, e.row), []).extend((o.position, key) for o in e.observations[-LATEST:])
    return {name: {key for _, key in sorted(served)[-LATEST:]} for name, served in latest.items()}


def swaps(
    flips: Iterable[TranscriptFlips], needed: Thresholds = DEFAULT, *, deployments: Sequence[Deployment] = ()
) -> list[Swap]:
    """Each epoch that began after another one of its line, in the order of its beginning, against the one before.

    A line is a requested model, or the models that deployments put one in the other's place.
    """
    lines = lines_of(deployments)
    sums: dict[EpochKey, dict[str, dict[str, Cluster]]] = {}
    began: dict[EpochKey, SeriesPosition] = {}
    for transcript in flips:
        if transcript.comparisons:
            key = (transcript.model, transcript.system_id, transcript.epoch)
            of_row = sums.setdefault(key, {}).setdefault(transcript.row, {})
            of_row[transcript.transcript_id] = (transcript.flips, transcript.comparisons)
            position = (transcript.completed_at, transcript.transcript_id)
            began[key] = min(began.get(key, position), position)
    ordered = sorted(sums, key=lambda key: (lines.get(key[0], key[0]), began[key], key))
    given = [
        Swap(
            model=after[0],
            system_id=after[1],
            epoch=after[2],
            previous_model=before[0],
            previous_epoch=before[2],
            began_at=began[after][0],
            deployment_id=_announced(deployments, after[0], began[after][0]),
            rows={row: cfr_change(sums[before].get(row, {}), sums[after].get(row, {}), needed) for row in ROWS},
        )
        for before, after in pairwise(ordered)
        if lines.get(before[0], before[0]) == lines.get(after[0], after[0])
    ]
    return sorted(given, key=lambda swap: (swap.began_at, swap.model, swap.epoch))


def _announced(deployments: Iterable[Deployment], model: str, began_at: datetime) -> str | None:
    until = [d for d in deployments if d.model == model and d.occurred_at is not None and d.occurred_at <= began_at]
    return max(until, key=lambda d: (d.occurred_at, d.deployment_id)).deployment_id if until else None
