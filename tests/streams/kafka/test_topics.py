"""Topics on both brokers: created as configured, left alone where they are, and told where they are missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from streams.config.sections import KafkaSettings
from streams.config.settings import settings_of
from streams.embedded.children import free_port
from streams.kafka.topic_admin import TopicsError, check_topics, create_topics, describe_topics
from streams.kafka.topics import TOPICS, TRANSCRIPTS, topic_name
from tests.conftest import Broker
from tests.streams.command import run_here


def kafka(broker: Broker, prefix: str, **fields: Any) -> KafkaSettings:
    return settings_of(
        {"kafka": {"bootstrap_servers": broker.bootstrap_servers, "topic_prefix": prefix, **fields}}
    ).kafka


async def partitions(settings: KafkaSettings) -> list[int | None]:
    return [state.partitions for state in await describe_topics(settings)]


async def test_all_topics_are_created_as_configured_once(broker: Broker, topic_prefix: str) -> None:
    settings = kafka(broker, topic_prefix, partitions=3)
    assert await partitions(settings) == [None] * len(TOPICS)
    names = [topic_name(settings, topic) for topic in TOPICS]
    assert names[0] == f"{topic_prefix}autoqa.transcripts.v1"
    assert await create_topics(settings) == names
    assert await partitions(settings) == [3] * len(TOPICS)
    assert await create_topics(settings) == []
    await check_topics(settings)


async def test_a_topic_that_is_there_is_left_as_it_is(broker: Broker, topic_prefix: str) -> None:
    settings = kafka(broker, topic_prefix, partitions=4)
    admin = AIOKafkaAdminClient(bootstrap_servers=settings.bootstrap_servers)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(topic_name(settings, TRANSCRIPTS), 2, 1)])
        created = await create_topics(settings)
        assert topic_name(settings, TRANSCRIPTS) not in created
        assert len(created) == len(TOPICS) - 1
        assert await partitions(settings) == [2 if topic == TRANSCRIPTS else 4 for topic in TOPICS]
    finally:
        await admin.close()


async def test_missing_topics_are_named_with_what_to_do(broker: Broker, topic_prefix: str) -> None:
    settings = kafka(broker, topic_prefix)
    with pytest.raises(TopicsError) as caught:
        await check_topics(settings)
    message = str(caught.value)
    assert [topic for topic in TOPICS if f"{topic_prefix}{topic}" not in message] == []
    assert broker.bootstrap_servers in message
    assert "create them with `evenhand topics`" in message


@pytest.mark.kafka
async def test_records_may_be_as_large_as_configured(kafka_broker: str, topic_prefix: str) -> None:
    settings = kafka(Broker.kafka(kafka_broker), topic_prefix, max_message_bytes=3_000_000)
    await create_topics(settings)
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka_broker)
    await admin.start()
    try:
        resource = ConfigResource(ConfigResourceType.TOPIC, topic_name(settings, TRANSCRIPTS))
        (reply,) = await admin.describe_configs([resource])
    finally:
        await admin.close()
    entries = {entry[0]: entry[1] for entry in reply.resources[0][4]}
    assert entries["max.message.bytes"] == "3000000"


@pytest.mark.kafka
async def test_more_replicas_than_brokers_is_told(kafka_broker: str, topic_prefix: str) -> None:
    settings = kafka(Broker.kafka(kafka_broker), topic_prefix, replication_factor=3)
    with pytest.raises(TopicsError, match=rf"can't create topic {topic_prefix}autoqa.transcripts.v1: .*eplication"):
        await create_topics(settings)


async def test_no_broker_is_told() -> None:
    port = free_port()
    settings = settings_of({"kafka": {"bootstrap_servers": f"127.0.0.1:{port}"}}).kafka
    for call in (check_topics, create_topics, describe_topics):
        with pytest.raises(TopicsError, match=rf"can't reach Kafka at 127.0.0.1:{port} .*start it, or set"):
            await call(settings)


def test_the_command_creates_and_checks(tansu_broker: str, topic_prefix: str, tmp_path: Path) -> None:
    environment = {
        "EVENHAND_KAFKA_BOOTSTRAP_SERVERS": tansu_broker,
        "EVENHAND_KAFKA_TOPIC_PREFIX": topic_prefix,
        "EVENHAND_KAFKA_PARTITIONS": "2",
    }
    missing = run_here("topics", "--check", cwd=tmp_path, environment=environment)
    assert missing.code == 1
    assert missing.said("missing: ", *TOPICS, "create them with `evenhand topics`")
    assert missing.out.splitlines() == [f"{topic_prefix}{topic}: missing" for topic in TOPICS]
    created = run_here("topics", cwd=tmp_path, environment=environment)
    assert (created.code, created.err) == (0, "")
    assert created.out.splitlines() == [f"{topic_prefix}{topic}: 2 partitions (created)" for topic in TOPICS]
    checked = run_here("topics", "--check", "--json", cwd=tmp_path, environment=environment)
    assert (checked.code, checked.err) == (0, "")
    assert '"created": false' in checked.out
    assert '"created": true' not in checked.out
