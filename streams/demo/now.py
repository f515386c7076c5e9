"""What the store says now: the figures that the live page shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from metrics.alarms.alarms import Alarm
from metrics.clickhouse.client import StoreClient
from metrics.clickhouse.window_sums import attribute_sums, transcript_sums
from metrics.live.favoured import Favoured, favoured
from metrics.live.window import WindowFigures, window_figures
from streams.config.settings import Settings
from streams.export.alarm_reader import AlarmReader

ALARM_SECONDS = 10.0
"""Alarms are looked for no more often than this while the demo needs the machine for itself."""

_EVER = (datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC))


@dataclass(frozen=True)
class Now:
    """Each row's figures over all that is stored, the attribute it favours most, and the alarms so far."""

    figures: Sequence[WindowFigures]
    favoured: Sequence[Favoured] = ()
    alarms: Sequence[Alarm] = ()


class NowReader:
    """Reads all of it from the store, the alarms from time to time."""

    def __init__(self, client: StoreClient, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._thresholds = settings.metrics.thresholds
        self._alarm_reader = AlarmReader(settings.alarms)
        self._clock = clock
        self._looked_at = clock()
        self._alarms: Sequence[Alarm] = ()

    async def read(self, *, with_alarms: bool = False) -> Now:
        """The present figures; `with_alarms` looks for alarms whatever the time. Raises the store's errors."""
        if with_alarms or self._clock() - self._looked_at >= ALARM_SECONDS:
            self._alarms = (await self._alarm_reader.read(self._client)).alarms
            self._looked_at = self._clock()
        return Now(
            figures=window_figures(await transcript_sums(self._client, *_EVER), self._thresholds),
            favoured=favoured(await attribute_sums(self._client, *_EVER), self._thresholds),
            alarms=self._alarms,
        )
