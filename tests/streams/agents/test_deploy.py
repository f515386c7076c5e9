"""Announced deployments: from the topic into the store, bad ones to the dead letters."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from evaluators.judges.deployment import Deployment
from evaluators.simulated.profile import default_profile
from metrics.clickhouse.alarm_rows import stored_deployments
from metrics.clickhouse.client import connect
from perturbations.records.errors import RecordError
from streams.agents.deploy import DeployStage
from streams.kafka.topics import DEAD_LETTERS, DEPLOYMENTS
from streams.runtime.stage import Incoming
from tests.builders import at
from tests.conftest import Broker
from tests.streams.harness import running_judge, running_stream

NOON = at("2026-11-30T12:00:00Z")


class Kept:
    """A sink that holds what it is given."""

    def __init__(self) -> None:
        self.deployments: list[Deployment] = []

    async def add_deployment(self, deployment: Deployment) -> None:
        self.deployments.append(deployment)


def incoming(value: bytes | None) -> Incoming:
    return Incoming(key=None, value=value, topic=DEPLOYMENTS, partition=0, offset=0, timestamp=NOON)


async def test_without_a_time_it_is_the_brokers_and_again_the_same() -> None:
    sink = Kept()
    stage = DeployStage(sink=sink)
    for _ in range(2):
        assert await stage.handle(incoming(b'{"judge": "main", "model": "m-2"}')) == []
    first, again = sink.deployments
    assert first == again
    assert (first.model, first.occurred_at) == ("m-2", NOON)
    assert first.deployment_id
    with pytest.raises(RecordError, match="model"):
        await stage.handle(incoming(b'{"judge": "main"}'))


async def stored(dsn: str) -> list[Deployment]:
    """What is stored, once there is anything."""
    async with await connect(dsn) as client:
        for _ in range(100):
            if deployments := await stored_deployments(client):
                return deployments
            await asyncio.sleep(0.2)
    return []


async def test_from_the_topic_into_the_store(broker: Broker, topic_prefix: str, store: str, tmp_path: Path) -> None:
    good = b'{"judge": "main", "model": "m-2", "occurred_at": "2026-11-30T12:00:00Z", "details": {"by": "x"}}'
    async with (
        running_judge(default_profile()) as judge,
        running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url) as stream,
    ):
        await stream.start_worker("deploy")
        await stream.send([(b"main", good), (b"main", b"{"), (None, good)], topic=DEPLOYMENTS)
        (letter,) = await stream.records(DEAD_LETTERS, 1)
        assert dict(letter.headers)["stage"] == b"deploy"
        (deployment,) = await stored(store)
        assert (deployment.judge, deployment.model, deployment.occurred_at) == ("main", "m-2", NOON)
        assert deployment.details == {"by": "x"}
