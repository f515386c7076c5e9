"""Series: what each complete transcript adds to a row's alarm, in an order that a replay repeats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

SeriesPosition = tuple[datetime, str]
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

    position: SeriesPosition
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
    def began(self) -> SeriesPosition:
        """The position of the first observation."""
        return self.observations[0].position


def epochs_of(flips: Iterable[TranscriptFlips]) -> list[Epoch]:
    """One record for each judge, epoch and row, ordered by model, row and beginning.

    A transcript enters a row once; one with nothing compared doesn't enter.
    """
    by_epoch: dict[tuple[str, str, str, str, str], list[Observation]] = {}
    for transcript in flips:
        if transcript.comparisons:
            key = (transcript.provider, transcript.system_id, transcript.model, transcript.epoch, transcript.row)
            by_epoch.setdefault(key, []).append(_observation(transcript))
    epochs = [
        Epoch(system_id, model, epoch, row, tuple(sorted(observations, key=_position)), provider)
        for (provider, system_id, model, epoch, row), observations in by_epoch.items()
    ]
    return sorted(epochs, key=lambda e: (e.model, e.row, e.began, e.system_id, e.epoch))


def _observation(transcript: TranscriptFlips) -> Observation:
    repeats = transcript.repeat_comparisons
    baseline = transcript.repeat_flips / repeats if repeats else None
    position = (transcript.completed_at, transcript.transcript_id)
    return Observation(position, transcript.flips / transcript.comparisons, baseline)


def _position(observation: Observation) -> SeriesPosition:
    return observation.position
