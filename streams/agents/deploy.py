"""Deploy: announced changes of a judge into the store."""

from __future__ import annotations

from typing import Protocol

from evaluators.judges.deployment import Deployment, read_deployment
from streams.kafka.topics import DEPLOYMENTS
from streams.runtime.stage import Incoming, Outgoing


class DeploymentSink(Protocol):
    """Where deployments are kept: the store."""

    async def add_deployment(self, deployment: Deployment) -> None:
        """Returns once it is stored."""
        ...


class DeployStage:
    """Keeps what is announced. A deployment that doesn't say when it happened happened when the broker took it."""

    name = "deploy"
    source = DEPLOYMENTS
    concurrency = 4
    is_paused = False

    def __init__(self, *, sink: DeploymentSink) -> None:
        self._sink = sink

    async def handle(self, incoming: Incoming) -> list[Outgoing]:
        """Nothing to send. Raises RecordError for what is no deployment."""
        deployment = read_deployment(incoming.value).with_id(taken_at=incoming.timestamp)
        await self._sink.add_deployment(deployment)
        return []
