"""Records that a topic let go before a stage read them: said and counted, since nobody will read them any more."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from aiokafka import AIOKafkaConsumer, TopicPartition

from streams.config.sections import KafkaSettings
from streams.kafka.connection import client_options
from streams.kafka.topic_admin import describe_topics
from streams.kafka.topics import group_name, topic_name
from streams.runtime.stage import Stage


@dataclass(frozen=True)
class Lost:
    """How many of a stage's records are gone between what it committed and the earliest that its topic keeps."""

    stage: str
    offsets: int


async def lost_to_retention(kafka: KafkaSettings, stages: Sequence[Stage]) -> list[Lost]:
    """For each stage that was away for longer than its topic keeps records, what is gone.

    The consumer itself goes on from the earliest record kept. A stage that never committed has lost nothing: it
    begins with what there is.
    """
    partitions = {state.name: state.partitions or 0 for state in await describe_topics(kafka)}
    losses = await asyncio.gather(
        *(_lost(kafka, stage, partitions[topic_name(kafka, stage.source)]) for stage in stages)
    )
    return [loss for loss in losses if loss.offsets]


async def _lost(kafka: KafkaSettings, stage: Stage, partitions: int) -> Lost:
    places = [TopicPartition(topic_name(kafka, stage.source), number) for number in range(partitions)]
    # With partitions of its own choice it reads the group's offsets and never joins the group.
    consumer = AIOKafkaConsumer(
        **client_options(kafka), group_id=group_name(kafka, stage.name), enable_auto_commit=False
    )
    await consumer.start()
    try:
        consumer.assign(places)
        committed = {place: offset for place in places if (offset := await consumer.committed(place)) is not None}
        earliest = await consumer.beginning_offsets(list(committed)) if committed else {}
    finally:
        await consumer.stop()
    return Lost(stage.name, sum(max(0, earliest[place] - offset) for place, offset in committed.items()))
