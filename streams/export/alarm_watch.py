"""Looking for alarms over and over, beside the scrapes and never in their way."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence

from metrics.alarms.state import Signal
from metrics.clickhouse.client import connect
from metrics.clickhouse.errors import StoreError, StoreUnavailable
from streams.config.settings import Settings
from streams.export.alarm_reader import AlarmReader, read_and_keep

log = logging.getLogger("evenhand")

SHARE = 10
"""Looking takes at most one part in so many of the time."""


class AlarmWatch:
    """A thread that looks for alarms, stores them, and has the present signals ready.

    `signals` is empty until the first look is done and while the store can't be read. Of several watches on one
    store each finds and writes the same.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._dsn = settings.clickhouse.dsn.get_secret_value()
        self._every_seconds = settings.alarms.every_seconds
        self._models = {judge.model for judge in settings.judges.values()}
        self._clock = clock
        self._reader = AlarmReader(settings.alarms)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="alarms", daemon=True)
        self._signals: Sequence[Signal] = ()

    @property
    def signals(self) -> Sequence[Signal]:
        """The present signals, of the configured judges' models where any are configured."""
        return self._signals

    def start(self) -> None:
        """Begin looking."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._ended.set()
        self._thread.join(5)

    def look(self) -> None:
        """Look once."""
        self._signals = self._present()

    def _present(self) -> Sequence[Signal]:
        try:
            return asyncio.run(self._read())
        except StoreUnavailable as error:
            # Whoever reads figures of the same store warns of it already.
            log.info("no alarms for now: %s", error)
        except StoreError as error:
            log.warning("no alarms for now: %s", error)
        except Exception as error:
            # Figures must go on without alarms. The message may repeat what was read.
            log.error("no alarms for now: %s", type(error).__name__)
        return ()

    async def _read(self) -> Sequence[Signal]:
        async with await connect(self._dsn) as client:
            reading = await read_and_keep(self._reader, client)
        return [signal for signal in reading.signals if not self._models or signal.model in self._models]

    def _run(self) -> None:
        delay = 0.0
        while not self._ended.wait(delay):
            began = self._clock()
            self.look()
            delay = max(self._every_seconds, (SHARE - 1) * (self._clock() - began))
