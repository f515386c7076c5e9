"""A worker process: the chosen agents, what they need, and a clean end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime

import faust
from prometheus_client import CollectorRegistry, start_http_server

from evaluators.calling.judge_client import JudgeClient, make_judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.migrate import pending_migrations
from metrics.prometheus.counters import Counters
from perturbations.rows import ROWS
from streams.agents.deploy import DeployStage
from streams.agents.evaluate import EvaluateStage
from streams.agents.pair import PairStage
from streams.agents.perturb import PerturbStage
from streams.agents.sample import SampleStage
from streams.config.anchor_file import anchors_of
from streams.config.asked_questions import rubric_of
from streams.config.settings import Settings
from streams.config.variant_writing import variant_maker
from streams.kafka.topics import check_topics
from streams.runtime.app import Callbacks, build_app
from streams.runtime.retention import lost_to_retention
from streams.runtime.stage import Stage
from streams.store_access import PatientStore

log = logging.getLogger("evenhand")

AGENTS = ("sample", "perturb", "evaluate", "pair", "deploy")


class WorkerError(Exception):
    """A worker that can't start, or had to stop: what, where, what to do."""


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
        stages = await _make_stages(settings, agents, counters, cleanup)
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
            app.conf.stream_wait_empty = not (isinstance(stage, EvaluateStage) and stage.is_paused)
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
    counters.start(chosen_rows(settings), sorted({judge.model for judge in settings.judges.values()}))
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


async def _make_stages(
    settings: Settings, agents: Sequence[str], counters: Counters, cleanup: AsyncExitStack
) -> list[Stage]:
    stages: list[Stage] = []
    store: PatientStore | None = None
    if {"perturb", "pair", "deploy"} & set(agents):
        client = await cleanup.enter_async_context(await connect(settings.clickhouse.dsn.get_secret_value()))
        if pending := await pending_migrations(client):
            raise WorkerError(f"the database lacks {', '.join(pending)}: run `evenhand migrate` first")
        store = PatientStore(client, settings.worker)
    if "sample" in agents:
        stages.append(SampleStage(settings, counters))
    if "perturb" in agents and store is not None:
        settings.judge_named(None)
        maker = await cleanup.enter_async_context(variant_maker(settings, os.environ, patient=True))
        stages.append(
            PerturbStage(
                settings,
                counters,
                rows=chosen_rows(settings),
                rubric=rubric_of(settings),
                maker=maker,
                sink=store,
                anchors=anchors_of(settings),
            )
        )
    if "evaluate" in agents:
        stages.append(
            EvaluateStage(
                settings,
                counters,
                judges=await _make_judges(settings, counters, cleanup),
                now=lambda: datetime.now(UTC),
            )
        )
    if "pair" in agents and store is not None:
        stages.append(PairStage(settings, counters, store=store))
    if "deploy" in agents and store is not None:
        stages.append(DeployStage(settings, sink=store))
    return stages


async def _make_judges(settings: Settings, counters: Counters, cleanup: AsyncExitStack) -> dict[str, JudgeClient]:
    settings.judge_named(None)
    judges = {}
    for name, config in settings.judges.items():
        judge = judges[name] = make_judge(config, os.environ.get(config.api_key_env), patient=True)
        cleanup.push_async_callback(judge.aclose)
        _watch(judge, counters)
    return judges


def _watch(judge: JudgeClient, counters: Counters) -> None:
    breaker = judge.limits.breaker
    is_priced = judge.card.price is not None
    counters.judge(judge.config.model, is_paused=lambda: breaker.is_open, is_priced=is_priced)


def chosen_rows(settings: Settings) -> tuple[str, ...]:
    """The configured rows, all by default, in the table's order."""
    wanted = settings.sampling.rows
    return tuple(name for name in ROWS if wanted is None or name in wanted)
