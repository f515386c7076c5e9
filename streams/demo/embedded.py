"""Everything that the demo runs on, started as child processes: broker, store, judge, worker."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import tomli_w

from metrics.clickhouse.migrate import migrate
from streams.config.settings import Settings, plain_settings, settings_of
from streams.demo.demo_judge import answers, start_demo_judge
from streams.embedded.broker import start_broker
from streams.embedded.children import Children, free_port, python_child
from streams.embedded.store_process import start_store
from streams.kafka.topic_admin import create_topics

PLACEBO_RATE = 0.4
"""The least share of the demo's transcripts that get placebos, where any do."""

BATCH_SECONDS = 1.0
"""How long evaluations wait for others at least, before they are stored and paired."""


@dataclass(frozen=True)
class DemoSetUp:
    """All that the demo runs on: the settings that reach it, and where its worker's counters are."""

    settings: Settings
    metrics_url: str


async def start_embedded(
    children: Children, directory: Path, base: Settings, *, judge: str, profile: Path | None
) -> DemoSetUp:
    """Start all parts on free ports, with their data in `directory`.

    Raises EmbeddedError where a part doesn't start, and what creating topics and tables raises.
    """
    _, bootstrap = await start_broker(children)
    _, dsn = await start_store(children, directory / "store")
    changed: dict[str, Any] = {
        "kafka": _embedded_kafka(bootstrap),
        "clickhouse": {"dsn": dsn},
        "default_judge": judge,
        "sampling": _demo_sampling(base),
        "worker": _demo_worker(base),
    }
    changed |= await start_demo_judge(children, base, judge, profile)
    settings = settings_of({**plain_settings(base), **changed})
    await create_topics(settings.kafka)
    await migrate(dsn)
    return DemoSetUp(settings, await _start_worker(children, directory, settings))


def _demo_sampling(base: Settings) -> dict[str, Any]:
    # Few transcripts: each counts, and enough of them need placebos for a figure.
    sampling: dict[str, Any] = plain_settings(base)["sampling"]
    placebo_rate = max(base.sampling.placebo_rate, PLACEBO_RATE) if base.sampling.placebo_rate else 0.0
    return {**sampling, "rate": 1.0, "placebo_rate": placebo_rate}


def _demo_worker(base: Settings) -> dict[str, Any]:
    # All arms of a transcript are in flight at once: read back by the second, they are paired once and not ten times.
    batch_seconds = max(base.worker.batch_seconds, BATCH_SECONDS)
    return {**plain_settings(base)["worker"], "batch_seconds": batch_seconds, "metrics_port": free_port()}


def _embedded_kafka(bootstrap: str) -> dict[str, Any]:
    # Short times: the first join of a group waits half the rebalance timeout.
    return {
        "bootstrap_servers": bootstrap,
        "rebalance_timeout_seconds": 2.0,
        "session_timeout_seconds": 6.0,
        "heartbeat_seconds": 1.0,
    }


async def _start_worker(children: Children, directory: Path, settings: Settings) -> str:
    config = directory / "evenhand.toml"
    config.write_text(tomli_w.dumps(plain_settings(settings)), encoding="utf-8")
    url = f"http://127.0.0.1:{settings.worker.metrics_port}/metrics"
    await children.start(
        python_child(
            "worker", "streams", ["worker", "--config", str(config)], partial(answers, url), ready_seconds=60.0
        )
    )
    return url
