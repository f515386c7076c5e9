"""The exporter: reads the store at most once per refresh time and answers Prometheus from that."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from prometheus_client import CollectorRegistry, start_http_server

from metrics.clickhouse.client import StoreClient, connect
from metrics.clickhouse.errors import StoreError
from metrics.clickhouse.window_sums import attribute_sums, current_epochs, transcript_sums
from metrics.figures.thresholds import Thresholds
from metrics.live.favoured import favoured
from metrics.live.window import window_figures
from metrics.prometheus.gauges import FairnessCollector, StoreReading
from streams.config.settings import Settings
from streams.export.alarm_watch import AlarmWatch

log = logging.getLogger("evenhand")

WINDOWS = {"1h": timedelta(hours=1), "24h": timedelta(hours=24), "7d": timedelta(days=7)}
REFRESH_SECONDS = 10.0
READ_SECONDS = 8.0
"""How long the store may take: Prometheus gives up a scrape after 10 s, and then knows nothing at all."""


class ExporterError(Exception):
    """An exporter that can't start: what, where, what to do."""

    exit_code: ClassVar[int] = 1


async def read_store(
    client: StoreClient, thresholds: Thresholds, now: datetime, models: Collection[str] = ()
) -> StoreReading:
    """The figures of every window that ends now, of these models alone where any are given.

    A model that no configured judge asks any longer would otherwise show for as long as the longest window. Raises
    the store's errors.
    """
    windows, directions = {}, {}
    for name, length in WINDOWS.items():
        since, until = now - length, now + timedelta(minutes=5)
        sums = await transcript_sums(client, since, until)
        windows[name] = [f for f in window_figures(sums, thresholds) if not models or f.model in models]
        nets = await attribute_sums(client, since, until)
        directions[name] = [f for f in favoured(nets, thresholds) if not models or f.model in models]
    epochs = [epoch for epoch in await current_epochs(client) if not models or epoch[0] in models]
    return StoreReading(windows=windows, epochs=epochs, favoured=directions)


class StoreReader:
    """Reads the store for scrapes: one connection, one reading per refresh time, None while the store is away."""

    def __init__(self, settings: Settings, now: Callable[[], datetime], clock: Callable[[], float]) -> None:
        self._dsn = settings.clickhouse.dsn.get_secret_value()
        self._thresholds = settings.metrics.thresholds
        self._models = {judge.model for judge in settings.judges.values()}
        self._now = now
        self._clock = clock
        self._lock = threading.Lock()
        self._read_at = -REFRESH_SECONDS
        self._reading: StoreReading | None = None

    def __call__(self) -> StoreReading | None:
        """The latest reading. Scrapes come on the HTTP server's threads."""
        with self._lock:
            if self._clock() - self._read_at >= REFRESH_SECONDS:
                self._reading = self._fresh()
                self._read_at = self._clock()
            return self._reading

    def _fresh(self) -> StoreReading | None:
        try:
            return asyncio.run(asyncio.wait_for(self._read(), READ_SECONDS))
        except StoreError as error:
            log.warning("no figures for this scrape: %s", error)
        except TimeoutError:
            log.warning("no figures for this scrape: ClickHouse didn't answer within %g s", READ_SECONDS)
        except Exception as error:
            # Whatever it is, a scrape must say that there are no figures. The message may repeat what was read.
            log.error("no figures for this scrape: %s", type(error).__name__)
        return None

    async def _read(self) -> StoreReading:
        async with await connect(self._dsn) as client:
            return await read_store(client, self._thresholds, self._now(), self._models)


def serve(settings: Settings, port: int) -> tuple[Callable[[], None], int]:
    """Serve /metrics on `port` (0: any free one) and look for alarms; gives how to stop it, and the port.

    Raises ExporterError.
    """
    registry = CollectorRegistry()
    watch = AlarmWatch(settings)
    reader = StoreReader(settings, lambda: datetime.now(UTC), time.monotonic)
    registry.register(FairnessCollector(reader, lambda: watch.signals))
    try:
        server, thread = start_http_server(port, registry=registry)
    except OSError as error:
        raise ExporterError(
            f"can't serve metrics on port {port} ({error.strerror}): set metrics.exporter_port to a free port"
        ) from None

    watch.start()

    def stop() -> None:
        watch.stop()
        server.shutdown()
        server.server_close()
        thread.join(5)

    return stop, server.server_port
