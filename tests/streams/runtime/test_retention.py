"""A worker that was away for longer than its topic keeps records goes on from the earliest, and says what is gone."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import aiohttp
import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete

from streams.kafka.topics import SAMPLES, TRANSCRIPTS, group_name, topic_name
from tests.conftest import Broker
from tests.real_transcripts import real_transcripts
from tests.streams.harness import renamed, running_stream


@pytest.mark.kafka
async def test_what_retention_took_is_said_and_counted(kafka_broker: str, topic_prefix: str, tmp_path: Path) -> None:
    broker = Broker("kafka", kafka_broker, 6, 6, 2)
    transcripts = renamed(real_transcripts(), 50)
    nowhere = "http://127.0.0.1:9/v1"
    async with running_stream(
        broker, topic_prefix, "clickhouse://127.0.0.1:9/none", tmp_path, judge_url=nowhere, partitions=1
    ) as stream:
        kafka = stream.settings.kafka
        place = TopicPartition(topic_name(kafka, TRANSCRIPTS), 0)
        worker = await stream.start_worker("sample")
        await stream.send_transcripts(transcripts[:20])
        deadline = time.monotonic() + 30
        while await _committed(kafka_broker, group_name(kafka, "sample"), place) != 20:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.3)
        await stream.children.stop(worker)
        await stream.send_transcripts(transcripts[20:])
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka_broker)
        await admin.start()
        try:
            await admin.delete_records({place: RecordsToDelete(before_offset=35)})
        finally:
            await admin.close()

        again = await stream.start_worker("sample")
        kept = await stream.records(SAMPLES, 20 + 15)
        ids = {record.key.decode() for record in kept}
        assert ids == {t.transcript_id for t in [*transcripts[:20], *transcripts[35:]]}
        assert "15 are gone" in again.tail()
        async with aiohttp.ClientSession() as session, session.get(stream.metrics_url) as response:
            assert 'evenhand_offsets_lost_total{stage="sample"} 15.0' in await response.text()


async def _committed(broker: str, group: str, place: TopicPartition) -> int | None:
    consumer = AIOKafkaConsumer(bootstrap_servers=broker, group_id=group, enable_auto_commit=False)
    await consumer.start()
    try:
        consumer.assign([place])
        offset: int | None = await consumer.committed(place)
        return offset
    finally:
        await consumer.stop()
