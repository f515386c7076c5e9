"""A worker process: its stages run until a signal, or until going on makes no sense."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import faust
from prometheus_client import CollectorRegistry, start_http_server

from metrics.prometheus.counters import Counters
from streams.config.settings import Settings
from streams.kafka.topic_admin import check_topics
from streams.runtime.app import Callbacks, build_app
from streams.runtime.retention import lost_to_retention
from streams.runtime.stage import Stage
from streams.worker.errors import WorkerError
from streams.worker.parts import open_parts
from streams.worker.stages import STAGES

log = logging.getLogger("evenhand")


@dataclass
class _Stop:
    """Asked to stop: by a signal (no reason) or because going on makes no sense (a reason)."""

    asked: asyncio.Event
    reason: str | None = None

    def because(self, reason: str) -> None:
        self.reason = self.reason or reason
        self.asked.set()


async def run_worker(settings: Settings, agents: Sequence[str]) -> None:
    """Run the agents until SIGTERM or SIGINT.

    Raises WorkerError where it has to stop by itself, and what the parts raise where it can't start: SettingsError,
    TopicsError, the store's errors, the judges' configuration errors.
    """
    async with AsyncExitStack() as cleanup:
        await check_topics(settings.kafka)
        counters = _serve_counters(settings, cleanup)
        stop = _Stop(asyncio.Event())
        specs = [spec for name, spec in STAGES.items() if name in agents]
        needs = {need for spec in specs for need in spec.needs}
        parts = await open_parts(settings, os.environ, counters, needs, cleanup)
        stages = [spec.build(parts) for spec in specs]
        for lost in await lost_to_retention(settings.kafka, stages):
            counters.lost(lost.stage, lost.offsets)
            log.warning(
                "%s was away for longer than its topic keeps records: %s are gone, it goes on from the earliest kept",
                lost.stage,
                f"{lost.offsets:,}",
            )
        callbacks = Callbacks(dead_lettered=counters.dead_letter, stop=stop.because)
        apps = [build_app(settings.kafka, settings.worker, stage, callbacks) for stage in stages]
        _stop_on_signals(stop)
        try:
            await asyncio.gather(*(app.maybe_start() for app in apps))
            log.info("running: %s", ", ".join(stage.name for stage in stages))
            await _until_stopped(stop, apps, stages)
        finally:
            await asyncio.gather(*(app.stop() for app in apps))
        if stop.reason is not None:
            raise WorkerError(stop.reason)


async def _until_stopped(stop: _Stop, apps: Sequence[faust.App], stages: Sequence[Stage]) -> None:
    asked = asyncio.create_task(stop.asked.wait())
    while not asked.done():
        await asyncio.wait([asked], timeout=1.0)
        for app, stage in zip(apps, stages, strict=True):
            # What is in flight is finished before a rebalance and at the end. With the judge away that is never: it
            # is left un-acked instead, and comes again.
            app.conf.stream_wait_empty = not stage.is_paused
            if app.crashed or (app.should_stop and not asked.done()):
                reason = f": {app.crash_reason!r}" if app.crash_reason is not None else ""
                stop.because(f"the consumer of {app.conf.id} ended by itself{reason}")


def _stop_on_signals(stop: _Stop) -> None:
    def on_signal() -> None:
        if stop.asked.is_set():
            os._exit(130)  # asked twice: at once; what is unfinished comes again
        log.info("stopping: finishing what is in flight (once more to leave at once)")
        stop.asked.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)


def _serve_counters(settings: Settings, cleanup: AsyncExitStack) -> Counters:
    registry = CollectorRegistry()
    counters = Counters(registry)
    counters.start(settings.sampling.chosen_rows, sorted({judge.model for judge in settings.judges.values()}))
    port = settings.worker.metrics_port
    if port:
        try:
            server, thread = start_http_server(port, registry=registry)
        except OSError as error:
            raise WorkerError(
                f"can't serve metrics on port {port} ({error.strerror}): set worker.metrics_port to a free port, "
                "or to 0 for none"
            ) from None
        cleanup.callback(thread.join, 5)
        cleanup.callback(server.server_close)
        cleanup.callback(server.shutdown)
    return counters
