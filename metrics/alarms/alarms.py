"""Alarms over rows and judges, with their evidence: a function of the stored pairs and nothing else."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from metrics.alarms.evidence import drift_evidence, excess_evidence, silent_evidence
from metrics.alarms.selection import Step, first_selected
from metrics.alarms.series import Epoch, Position, series
from metrics.pair import Pair
from perturbations.hashing import digest
from perturbations.rows import ROWS

AlarmKind = Literal["excess", "drift", "silent_drift"]

KINDS: tuple[AlarmKind, ...] = ("excess", "drift", "silent_drift")


class Alarm(BaseModel):
    """One alarm with its evidence.

    `excess`: the row's CFR exceeds that of repeats by more than the limit. `drift`: it rose with `epoch`, against
    `previous_epoch`. `silent_drift`: it rose somewhere within the epoch. `before` and `after` are mean flip fractions
    (for `excess` the repeats' and the row's; for `silent_drift` only `after`, the epoch's so far) at the transcript
    that gave the alarm; `transcripts` is how many were used. The e-value is at least 1/alpha.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    alarm_id: str
    kind: AlarmKind
    row: str
    model: str
    system_id: str
    epoch: str
    previous_epoch: str | None
    evaluated_at: datetime
    transcript_id: str
    transcripts: int
    before: float | None
    after: float
    log_e_value: float
    alpha: float


@dataclass(frozen=True)
class AlarmSettings:
    """`alpha`: the probability of any false alarm of one kind. `limit`: how much excess is acceptable, a ratio."""

    alpha: float = 0.001
    limit: float = 0.02
    hypotheses_per_judge: int = len(ROWS)


@dataclass(frozen=True)
class _Process:
    """One e-process with what an alarm from it would say."""

    kind: AlarmKind
    epoch: Epoch
    previous: Epoch | None
    positions: Sequence[Position]
    log_e: Sequence[float]
    before: Sequence[float | None]
    after: Sequence[float]

    def alarm(self, position: Position, settings: AlarmSettings) -> Alarm:
        # Where another process carried this one over the line, its own last transcript is the earlier one.
        i = max(k for k, own in enumerate(self.positions) if own <= position)
        e = self.epoch
        previous = None if self.previous is None else self.previous.epoch
        return Alarm(
            alarm_id=digest("alarm", self.kind, e.row, e.model, e.system_id, e.epoch, previous),
            kind=self.kind,
            row=e.row,
            model=e.model,
            system_id=e.system_id,
            epoch=e.epoch,
            previous_epoch=previous,
            evaluated_at=position[0],
            transcript_id=position[1],
            transcripts=i + 1,
            before=self.before[i],
            after=self.after[i],
            log_e_value=self.log_e[i],
            alpha=settings.alpha,
        )


def alarms(
    pairs: Iterable[Pair],
    settings: AlarmSettings = AlarmSettings(),
    *,
    expected: Mapping[str, int] | None = None,
) -> list[Alarm]:
    """Every alarm that these pairs give, in the order in which they were given.

    The same pairs give the same alarms, and later pairs add alarms without changing earlier ones: transcripts enter
    in the order of (`evaluated_at` of the last arm, transcript_id). The kinds are tested apart, each at alpha over
    all rows and judges by e-BH, every epoch of a judge with hypotheses of its own. `expected`: see `series`.
    """
    epochs = series(pairs, expected=expected)
    found: list[Alarm] = []
    for kind in KINDS:
        processes = list(_processes(epochs, kind, settings))
        steps = sorted(
            (
                Step(i, position, log_e)
                for i, process in enumerate(processes)
                for position, log_e in zip(process.positions, process.log_e, strict=True)
            ),
            key=lambda step: (step.moment, step.name),
        )
        begun = _begun(processes)

        def hypotheses(moment: Position, begun: Sequence[Position] = begun) -> int:
            return settings.hypotheses_per_judge * max(1, bisect_right(begun, moment))

        chosen = first_selected(steps, alpha=settings.alpha, hypotheses=hypotheses)
        found += [processes[step.name].alarm(step.moment, settings) for step in chosen]
    return sorted(found, key=lambda alarm: (alarm.evaluated_at, alarm.transcript_id, alarm.kind, alarm.row))


def _begun(processes: Iterable[_Process]) -> list[Position]:
    first: dict[tuple[str, str, str], Position] = {}
    for process in processes:
        e = process.epoch
        key = (e.model, e.system_id, e.epoch)
        first[key] = min(first.get(key, e.began), e.began)
    return sorted(first.values())


def _processes(epochs: Sequence[Epoch], kind: AlarmKind, settings: AlarmSettings) -> Iterator[_Process]:
    previous: Epoch | None = None
    for epoch in epochs:
        same = previous is not None and (previous.model, previous.row) == (epoch.model, epoch.row)
        if kind == "excess":
            yield _excess(epoch, settings)
        elif kind == "silent_drift":
            yield _silent(epoch)
        elif same and previous is not None:
            yield _drift(previous, epoch)
        previous = epoch


def _excess(epoch: Epoch, settings: AlarmSettings) -> _Process:
    held = [(o.position, o.fraction, o.baseline) for o in epoch.observations if o.baseline is not None]
    differences = [fraction - baseline for _, fraction, baseline in held]
    return _Process(
        kind="excess",
        epoch=epoch,
        previous=None,
        positions=[position for position, _, _ in held],
        log_e=[float(x) for x in excess_evidence(differences, limit=settings.limit)],
        before=_running([baseline for _, _, baseline in held]),
        after=_running([fraction for _, fraction, _ in held]),
    )


def _silent(epoch: Epoch) -> _Process:
    fractions = [o.fraction for o in epoch.observations]
    return _Process(
        kind="silent_drift",
        epoch=epoch,
        previous=None,
        positions=[o.position for o in epoch.observations],
        log_e=[float(x) for x in silent_evidence(fractions)],
        before=[None] * len(fractions),
        after=_running(fractions),
    )


def _drift(previous: Epoch, epoch: Epoch) -> _Process:
    # What the old model still finished after the swap would depend on when one looks.
    old = [o.fraction for o in previous.observations if o.position < epoch.began]
    fractions = [o.fraction for o in epoch.observations]
    mean = math.fsum(old) / len(old) if old else None
    return _Process(
        kind="drift",
        epoch=epoch,
        previous=previous,
        positions=[o.position for o in epoch.observations],
        log_e=[float(x) for x in drift_evidence(old, fractions)],
        before=[mean] * len(fractions),
        after=_running(fractions),
    )


def _running(values: Sequence[float]) -> list[float]:
    means, total = [], 0.0
    for i, value in enumerate(values, start=1):
        total += value
        means.append(total / i)
    return means
