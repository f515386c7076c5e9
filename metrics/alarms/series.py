"""Pairs into series: what each complete transcript adds to a row's alarm, in an order that a replay repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from metrics.pairs.dedup import EPOCH_ZERO
from metrics.pairs.pair import Pair
from perturbations.rows import ROWS

Position = tuple[datetime, str]
"""When a transcript's row was complete (`evaluated_at` of its last arm), and its id."""


@dataclass(frozen=True, slots=True)
class TranscriptFlips:
    """One transcript that is complete in one row under one epoch: flips of its attribute pairs and of its repeats.

    `repeat_comparisons` is 0 where there are no repeats to compare with.
    """

    provider: str
    model: str
    system_id: str
    epoch: str
    row: str
    transcript_id: str
    completed_at: datetime
    flips: int
    comparisons: int
    repeat_flips: int = 0
    repeat_comparisons: int = 0


@dataclass(frozen=True, slots=True)
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
    provider: str = ""

    @property
    def began(self) -> Position:
        """The position of the first observation."""
        return self.observations[0].position


def series(pairs: Iterable[Pair], *, expected: Mapping[str, int] | None = None) -> list[Epoch]:
    """The epochs of the transcripts that are complete in a row; see `complete_flips` and `epochs_of`."""
    return epochs_of(complete_flips(pairs, expected=expected))


def complete_flips(pairs: Iterable[Pair], *, expected: Mapping[str, int] | None = None) -> list[TranscriptFlips]:
    """What each transcript adds to each row in which it is complete.

    A transcript is complete in a row with all its attribute pairs (every two attributes; `expected` says how many
    where the design, or what applies, gives a transcript fewer); one whose row is never complete never enters.
    """
    held: dict[tuple[str, str, str, str, str], list[Pair]] = {}
    repeats: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        if pair.kind == "repeat":
            repeats.setdefault((pair.system_id, pair.epoch, pair.transcript_id), []).append(pair)
        elif pair.kind == "attribute":
            key = (pair.system_id, pair.judge.model, pair.epoch, pair.row, pair.transcript_id)
            held.setdefault(key, []).append(pair)
    wanted = {name: len(row.attribute_pairs()) for name, row in ROWS.items()} | dict(expected or {})
    return [
        _flips(of_row, repeats.get((system_id, epoch, transcript_id), []))
        for (system_id, _, epoch, row, transcript_id), of_row in held.items()
        if len(of_row) >= wanted[row]
    ]


def epochs_of(flips: Iterable[TranscriptFlips]) -> list[Epoch]:
    """One record for each judge, epoch and row, ordered by model, row and beginning.

    A transcript enters a row once; one with nothing compared doesn't enter.
    """
    held: dict[tuple[str, str, str, str, str], list[Observation]] = {}
    for one in flips:
        if one.comparisons:
            key = (one.provider, one.system_id, one.model, one.epoch, one.row)
            held.setdefault(key, []).append(_observation(one))
    epochs = [
        Epoch(system_id, model, epoch, row, tuple(sorted(observations, key=_position)), provider)
        for (provider, system_id, model, epoch, row), observations in held.items()
    ]
    return sorted(epochs, key=lambda e: (e.model, e.row, e.began, e.system_id, e.epoch))


def _flips(of_row: list[Pair], repeats: list[Pair]) -> TranscriptFlips:
    one = of_row[0]
    return TranscriptFlips(
        provider=one.judge.provider,
        model=one.judge.model,
        system_id=one.system_id,
        epoch=one.epoch,
        row=one.row,
        transcript_id=one.transcript_id,
        completed_at=max(pair.evaluated_at or EPOCH_ZERO for pair in of_row),
        flips=sum(pair.flips for pair in of_row),
        comparisons=sum(pair.comparisons for pair in of_row),
        repeat_flips=sum(pair.flips for pair in repeats),
        repeat_comparisons=sum(pair.comparisons for pair in repeats),
    )


def _observation(one: TranscriptFlips) -> Observation:
    baseline = one.repeat_flips / one.repeat_comparisons if one.repeat_comparisons else None
    return Observation((one.completed_at, one.transcript_id), one.flips / one.comparisons, baseline)


def _position(observation: Observation) -> Position:
    return observation.position
