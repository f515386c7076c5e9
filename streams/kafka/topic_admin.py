"""Topics on the broker: created explicitly, described, and checked at start."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError, TopicAlreadyExistsError

from streams.config.sections import KafkaSettings
from streams.kafka.connection import client_options, overheard
from streams.kafka.topics import TOPICS, topic_name

KNOWN_SECONDS = 15.0


class TopicsError(Exception):
    """The topics can't be reached or aren't as the app needs them: what, where, what to do."""

    exit_code: ClassVar[int] = 1


@dataclass(frozen=True)
class TopicState:
    """A topic as it is on the broker; `partitions` None: it does not exist."""

    name: str
    partitions: int | None


async def create_topics(kafka: KafkaSettings) -> list[str]:
    """Create the topics that are missing, and wait until the brokers know them; gives their names.

    Raises TopicsError.
    """
    missing = [state.name for state in await describe_topics(kafka) if state.partitions is None]
    async with _admin(kafka) as admin:
        for name in missing:
            new = NewTopic(
                name,
                num_partitions=kafka.partitions,
                replication_factor=kafka.replication_factor,
                topic_configs={"max.message.bytes": str(kafka.max_message_bytes)},
            )
            try:
                reply = await admin.create_topics([new])
            except TopicAlreadyExistsError:
                continue
            except KafkaError as error:
                raise TopicsError(f"can't create topic {name}: {type(error).__name__}: {error}") from None
            _check_created(name, reply)
    if missing:
        await _until_known(kafka)
    return missing


async def describe_topics(kafka: KafkaSettings) -> list[TopicState]:
    """The state of each of our topics, in the table's order. Raises TopicsError where Kafka can't be reached."""
    names = [topic_name(kafka, topic) for topic in TOPICS]
    async with _admin(kafka) as admin:
        existing = set(await admin.list_topics())
        ours = [name for name in names if name in existing]
        described = await admin.describe_topics(ours) if ours else []
    partitions = {topic["topic"]: len(topic["partitions"]) for topic in described}
    return [TopicState(name, partitions.get(name)) for name in names]


async def check_topics(kafka: KafkaSettings) -> None:
    """Raises TopicsError with every missing topic and what to do about it."""
    missing = [state.name for state in await describe_topics(kafka) if state.partitions is None]
    if missing:
        raise TopicsError(
            f"topics missing at {kafka.bootstrap_servers}: {', '.join(missing)}; create them with `evenhand topics`"
        )


async def _until_known(kafka: KafkaSettings) -> None:
    # A controller answers before the brokers have heard of it.
    until = time.monotonic() + KNOWN_SECONDS
    while unknown := [state.name for state in await describe_topics(kafka) if not state.partitions]:
        if time.monotonic() > until:
            raise TopicsError(
                f"topics created at {kafka.bootstrap_servers} are not known there after {KNOWN_SECONDS:g} s: "
                f"{', '.join(unknown)}; look at the brokers' logs"
            )
        await asyncio.sleep(0.1)


def _check_created(name: str, reply: Any) -> None:
    for error in reply.topic_errors:
        code, message = error[1], error[2] if len(error) > 2 else ""
        if code not in (0, TopicAlreadyExistsError.errno):
            raise TopicsError(f"can't create topic {name}: error {code} {message or ''}".rstrip())


@asynccontextmanager
async def _admin(kafka: KafkaSettings) -> AsyncIterator[AIOKafkaAdminClient]:
    """An admin client, closed at the end. Raises TopicsError where Kafka can't be reached."""
    client = AIOKafkaAdminClient(**client_options(kafka), request_timeout_ms=15_000)
    with overheard() as logged:
        try:
            await client.start()
        except KafkaError as error:
            await client.close()
            why = (logged[-1] if logged else type(error).__name__).removesuffix(": ") or "no answer"
            raise TopicsError(
                f"can't reach Kafka at {kafka.bootstrap_servers} ({why}): start it, or set "
                "kafka.bootstrap_servers (and security_protocol, sasl_* where it asks for them)"
            ) from None
    try:
        yield client
    finally:
        await client.close()
