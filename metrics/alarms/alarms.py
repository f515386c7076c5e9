"""Alarms over rows and judges, with their evidence: a function of the stored pairs and nothing else."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np
from pydantic import BaseModel

from metrics.alarms.attribution import Attribution
from metrics.alarms.evidence import Floats, drift_evidence, excess_evidence, silent_evidence
from metrics.alarms.selection import Step, first_selected
from metrics.alarms.series import Epoch, Observation, SeriesPosition
from perturbations.records.hashing import digest
from perturbations.records.reading import OWN
from perturbations.rows import ROWS

AlarmKind = Literal["excess", "drift", "silent_drift"]

KINDS: tuple[AlarmKind, ...] = ("excess", "drift", "silent_drift")


class Alarm(BaseModel):
    """One alarm with its evidence.

    `excess`: the row's CFR exceeds that of repeats by more than the limit. `drift`: it rose with `epoch`, against
    `previous_epoch`. `silent_drift`: it rose somewhere within the epoch. `before` and `after` are mean flip fractions
    (for `excess` the repeats' and the row's; for `silent_drift` only `after`, the epoch's so far) at the transcript
    that gave the alarm; `transcripts` is how many were used. The e-value is at least 1/alpha. `attribution` says of a
    drift whether it is the judge's or the traffic's, where anchors are judged.
    """

    model_config = OWN

    alarm_id: str
    kind: AlarmKind
    row: str
    provider: str = ""
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
    attribution: Attribution | None = None

    def with_attribution(self, attribution: Attribution) -> Alarm:
        """The same alarm with what it comes from."""
        return self.model_copy(update={"attribution": attribution})


@dataclass(frozen=True)
class AlarmRules:
    """`alpha`: the probability of any false alarm of one kind. `limit`: how much excess is acceptable, a ratio."""

    alpha: float = 0.001
    limit: float = 0.02
    hypotheses_per_judge: int = len(ROWS)


def alarms_of(
    epochs: Iterable[Epoch],
    rules: AlarmRules = AlarmRules(),
    *,
    lineages: Mapping[str, str] | None = None,
) -> list[Alarm]:
    """Every alarm of these epochs, in the order in which they were given.

    The same observations give the same alarms, and later ones add alarms without changing earlier ones: transcripts
    enter in the order of (`evaluated_at` of the last arm, transcript_id). The kinds are tested apart, each at alpha
    over all rows and judges by e-BH, every epoch of a judge with hypotheses of its own. An epoch's `drift` is against
    the one that began before it under the same requested model; `lineages` puts models into one line where a
    deployment put one in the other's place.
    """
    ordered = sorted(epochs, key=lambda e: (_line(e, lineages), e.row, e.began, e.system_id, e.epoch))
    begun = _begun(ordered)

    def hypotheses(moment: SeriesPosition) -> int:
        return rules.hypotheses_per_judge * max(1, bisect_right(begun, moment))

    given: list[Alarm] = []
    for kind in KINDS:
        # One that never comes near the line is chosen by nobody and carries nobody over it.
        processes = [p for p in _processes(ordered, kind, rules, lineages) if p.reaches(-math.log(rules.alpha))]
        steps = sorted(
            (
                Step(i, observation.position, float(log_e))
                for i, process in enumerate(processes)
                for observation, log_e in zip(process.observations, process.log_e, strict=True)
            ),
            key=lambda step: (step.at, step.hypothesis),
        )
        chosen = first_selected(steps, alpha=rules.alpha, hypotheses=hypotheses)
        given += [processes[step.hypothesis].alarm(step.at, rules) for step in chosen]
    return sorted(given, key=lambda alarm: (alarm.evaluated_at, alarm.transcript_id, alarm.kind, alarm.row))


@dataclass(frozen=True)
class _Process:
    """One e-process with what an alarm from it would say; the arrays go along with the observations."""

    kind: AlarmKind
    epoch: Epoch
    previous: Epoch | None
    observations: Sequence[Observation]
    log_e: Floats
    before: Floats | None
    after: Floats

    def reaches(self, log_e: float) -> bool:
        return len(self.log_e) > 0 and bool(self.log_e.max() >= log_e)

    def alarm(self, position: SeriesPosition, rules: AlarmRules) -> Alarm:
        # Where another process carried this one over the line, its own last transcript is the earlier one.
        count = bisect_right(self.observations, position, key=lambda observation: observation.position)
        e = self.epoch
        previous = None if self.previous is None else self.previous.epoch
        return Alarm(
            alarm_id=digest("alarm", self.kind, e.row, e.model, e.system_id, e.epoch, previous),
            kind=self.kind,
            row=e.row,
            provider=e.provider,
            model=e.model,
            system_id=e.system_id,
            epoch=e.epoch,
            previous_epoch=previous,
            evaluated_at=position[0],
            transcript_id=position[1],
            transcripts=count,
            before=None if self.before is None else _mean(self.before[:count]),
            after=_mean(self.after[:count]),
            log_e_value=float(self.log_e[count - 1]),
            alpha=rules.alpha,
        )


def _line(epoch: Epoch, lineages: Mapping[str, str] | None) -> str:
    return (lineages or {}).get(epoch.model, epoch.model)


def _begun(epochs: Iterable[Epoch]) -> list[SeriesPosition]:
    first: dict[tuple[str, str, str], SeriesPosition] = {}
    for e in epochs:
        key = (e.model, e.system_id, e.epoch)
        first[key] = min(first.get(key, e.began), e.began)
    return sorted(first.values())


def _processes(
    epochs: Sequence[Epoch], kind: AlarmKind, rules: AlarmRules, lineages: Mapping[str, str] | None
) -> Iterator[_Process]:
    previous: Epoch | None = None
    for epoch in epochs:
        if kind == "excess":
            yield _excess(epoch, rules)
        elif kind == "silent_drift":
            yield _silent(epoch)
        elif (
            previous is not None and previous.row == epoch.row and _line(previous, lineages) == _line(epoch, lineages)
        ):
            yield _drift(previous, epoch)
        previous = epoch


def _excess(epoch: Epoch, rules: AlarmRules) -> _Process:
    compared = [(o, o.baseline) for o in epoch.observations if o.baseline is not None]
    fractions, baselines = _array(o.fraction for o, _ in compared), _array(baseline for _, baseline in compared)
    return _Process(
        kind="excess",
        epoch=epoch,
        previous=None,
        observations=[o for o, _ in compared],
        log_e=excess_evidence(fractions - baselines, limit=rules.limit),
        before=baselines,
        after=fractions,
    )


def _silent(epoch: Epoch) -> _Process:
    fractions = _array(o.fraction for o in epoch.observations)
    return _Process(
        kind="silent_drift",
        epoch=epoch,
        previous=None,
        observations=epoch.observations,
        log_e=silent_evidence(fractions),
        before=None,
        after=fractions,
    )


def _drift(previous: Epoch, epoch: Epoch) -> _Process:
    # What the old model still finished after the swap would depend on when one looks.
    old = _array(o.fraction for o in previous.observations if o.position < epoch.began)
    fractions = _array(o.fraction for o in epoch.observations)
    mean = _mean(old) if len(old) else None
    return _Process(
        kind="drift",
        epoch=epoch,
        previous=previous,
        observations=epoch.observations,
        log_e=drift_evidence(old, fractions),
        before=None if mean is None else np.full(len(fractions), mean),
        after=fractions,
    )


def _array(values: Iterable[float]) -> Floats:
    return np.fromiter(values, dtype=np.float64)


def _mean(values: Floats) -> float:
    return math.fsum(values) / len(values)
