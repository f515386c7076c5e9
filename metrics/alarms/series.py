"""Pairs into series: what each complete transcript adds to a row's alarm, in an order that a replay repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from metrics.dedup import EPOCH_ZERO
from metrics.pair import Pair
from perturbations.rows import ROWS

Position = tuple[datetime, str]
"""When a transcript's row was complete (`evaluated_at` of its last arm), and its id."""


@dataclass(frozen=True)
class Observation:
    """One transcript in one row: its flip fraction, and that of its repeats where there are any; both in [0, 1]."""

    position: Position
    fraction: float
    baseline: float | None


@dataclass(frozen=True)
class Epoch:
    """A judge's observations of one row under one epoch, in order."""

    system_id: str
    model: str
    epoch: str
    row: str
    observations: tuple[Observation, ...]

    @property
    def began(self) -> Position:
        """The position of the first observation."""
        return self.observations[0].position


def series(pairs: Iterable[Pair], *, expected: Mapping[str, int] | None = None) -> list[Epoch]:
    """One record for each judge, epoch and row with a complete transcript, ordered by model, row and beginning.

    A transcript is complete in a row with all its attribute pairs (every two attributes; `expected` says how many
    where the design gives a transcript fewer) and enters once; one whose row is never complete never enters.
    """
    held: dict[tuple[str, str, str, str], dict[str, list[Pair]]] = {}
    repeats: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        if pair.kind == "repeat":
            repeats.setdefault((pair.system_id, pair.epoch, pair.transcript_id), []).append(pair)
        elif pair.kind == "attribute":
            key = (pair.system_id, pair.judge.model, pair.epoch, pair.row)
            held.setdefault(key, {}).setdefault(pair.transcript_id, []).append(pair)
    wanted = {name: len(row.attribute_pairs()) for name, row in ROWS.items()} | dict(expected or {})
    epochs = []
    for (system_id, model, epoch, row), transcripts in held.items():
        observations = sorted(
            (
                _observation(of_row, repeats.get((system_id, epoch, transcript_id), []))
                for transcript_id, of_row in transcripts.items()
                if len(of_row) >= wanted[row] and any(pair.comparisons for pair in of_row)
            ),
            key=lambda observation: observation.position,
        )
        if observations:
            epochs.append(Epoch(system_id, model, epoch, row, tuple(observations)))
    return sorted(epochs, key=lambda e: (e.model, e.row, e.began, e.system_id, e.epoch))


def _observation(of_row: list[Pair], repeats: list[Pair]) -> Observation:
    last = max(pair.evaluated_at or EPOCH_ZERO for pair in of_row)
    return Observation(
        position=(last, of_row[0].transcript_id),
        fraction=_fraction(of_row) or 0.0,
        baseline=_fraction(repeats),
    )


def _fraction(pairs: list[Pair]) -> float | None:
    comparisons = sum(pair.comparisons for pair in pairs)
    return sum(pair.flips for pair in pairs) / comparisons if comparisons else None
