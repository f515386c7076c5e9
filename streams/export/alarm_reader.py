"""Alarms from the store: flips of what is complete, read once and then as they change, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from evaluators.judges.deployment import Deployment, lines_of
from metrics.alarms.alarms import Alarm, AlarmRules, alarms_of
from metrics.alarms.series import TranscriptFlips, epochs_of
from metrics.alarms.state import Signal, signals
from metrics.alarms.verdicts import attributed
from metrics.clickhouse.alarm_rows import keep_alarms, stored_deployments
from metrics.clickhouse.client import StoreClient
from metrics.clickhouse.flips import complete_flips_of, touched_transcripts
from metrics.clickhouse.stored_records import anchor_evaluations
from streams.config.sections import AlarmsSettings

OVERLAP = timedelta(minutes=2)
"""What was stored within this time before the last look is read again: an insert may become visible late."""


@dataclass(frozen=True)
class AlarmReading:
    """The alarms that the store's pairs give, and all that they were made of."""

    alarms: Sequence[Alarm]
    signals: Sequence[Signal]
    flips: Sequence[TranscriptFlips]
    deployments: Sequence[Deployment]


class AlarmReader:
    """Reads flips into memory, at first all and then of the transcripts touched since, and finds the alarms.

    What it finds is a function of what is stored: how often, and by how many, it is read makes no difference.
    """

    def __init__(self, settings: AlarmsSettings, *, overlap: timedelta = OVERLAP) -> None:
        self._overlap = overlap
        self._rules = AlarmRules(alpha=settings.alpha, limit=settings.excess_limit)
        self._flips: dict[str, list[TranscriptFlips]] = {}
        self._asked_at: datetime | None = None

    async def read(self, client: StoreClient) -> AlarmReading:
        """The present alarms. Raises the store's errors; nothing is lost then."""
        since = None if self._asked_at is None else self._asked_at - self._overlap
        touched = await touched_transcripts(client, since)
        fresh = await complete_flips_of(client, touched.transcript_ids)
        for transcript_id in touched.transcript_ids:
            self._flips.pop(transcript_id, None)
        self._flips.update(fresh)
        self._asked_at = touched.asked_at
        deployments = await stored_deployments(client)
        flips = [row_flips for of_transcript in self._flips.values() for row_flips in of_transcript]
        epochs = epochs_of(flips)
        lines = lines_of(deployments)
        alarms = alarms_of(epochs, self._rules, lineages=lines)
        if any(alarm.kind != "excess" for alarm in alarms):
            alarms = attributed(alarms, epochs, await anchor_evaluations(client), lineages=lines)
        return AlarmReading(alarms, signals(epochs, alarms), flips, deployments)


async def read_and_keep(reader: AlarmReader, client: StoreClient) -> AlarmReading:
    """The present alarms, stored as well."""
    reading = await reader.read(client)
    await keep_alarms(client, reading.alarms)
    return reading
