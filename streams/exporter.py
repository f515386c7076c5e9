"""The exporter: reads the store at most once per refresh time and answers Prometheus from that."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from prometheus_client import CollectorRegistry, start_http_server

from metrics.clickhouse.client import StoreClient, connect
from metrics.clickhouse.errors import StoreError
from metrics.clickhouse.window import current_epochs, transcript_sums
from metrics.prometheus.gauges import FairnessCollector, Reading
from metrics.thresholds import Thresholds
from metrics.window import window_figures
from streams.settings import Settings

log = logging.getLogger("evenhand")

WINDOWS = {"1h": timedelta(hours=1), "24h": timedelta(hours=24), "7d": timedelta(days=7)}
REFRESH_SECONDS = 10.0


class ExporterError(Exception):
    """An exporter that can't start: what, where, what to do."""


async def read_store(client: StoreClient, thresholds: Thresholds, now: datetime) -> Reading:
    """The figures of every window that ends now. Raises the store's errors."""
    windows = {}
    for name, length in WINDOWS.items():
        sums = await transcript_sums(client, now - length, now + timedelta(minutes=5))
        windows[name] = window_figures(sums, thresholds)
    return Reading(windows=windows, epochs=await current_epochs(client))


class StoreReader:
    """Reads the store for scrapes: one connection, one reading per refresh time, None while the store is away."""

    def __init__(self, settings: Settings, now: Callable[[], datetime], clock: Callable[[], float]) -> None:
        self._dsn = settings.clickhouse.dsn.get_secret_value()
        self._thresholds = thresholds_of(settings)
        self._now = now
        self._clock = clock
        self._lock = threading.Lock()
        self._read_at = -REFRESH_SECONDS
        self._reading: Reading | None = None

    def __call__(self) -> Reading | None:
        """The latest reading. Scrapes come on the HTTP server's threads."""
        with self._lock:
            if self._clock() - self._read_at >= REFRESH_SECONDS:
                self._reading = self._fresh()
                self._read_at = self._clock()
            return self._reading

    def _fresh(self) -> Reading | None:
        try:
            return asyncio.run(self._read())
        except StoreError as error:
            log.warning("no figures for this scrape: %s", error)
            return None

    async def _read(self) -> Reading:
        async with await connect(self._dsn) as client:
            return await read_store(client, self._thresholds, self._now())


def thresholds_of(settings: Settings) -> Thresholds:
    """When a figure is given at all."""
    return Thresholds(
        comparisons=settings.metrics.minimum_comparisons, transcripts=settings.metrics.minimum_transcripts
    )


def serve(settings: Settings, port: int) -> tuple[Callable[[], None], int]:
    """Serve /metrics on `port` (0: any free one); gives how to stop it, and the port. Raises ExporterError."""
    registry = CollectorRegistry()
    registry.register(FairnessCollector(StoreReader(settings, lambda: datetime.now(UTC), time.monotonic)))
    try:
        server, thread = start_http_server(port, registry=registry)
    except OSError as error:
        raise ExporterError(
            f"can't serve metrics on port {port} ({error.strerror}): set metrics.exporter_port to a free port"
        ) from None

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join(5)

    return stop, server.server_port
