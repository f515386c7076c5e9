"""Brokers and stores for tests. Each server starts once a run; tests keep apart by topic prefix and database."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

import pytest

from metrics.clickhouse.dsn import Dsn
from metrics.clickhouse.migrate import migrate
from streams.embedded.broker import start_broker
from streams.embedded.children import Children
from streams.embedded.store_process import start_store
from tests.containers import clickhouse_container, docker_answers, kafka_container
from tests.examples import load_profiles
from tests.kafka.apache_kafka import ApacheKafka, KafkaMissing

_numbers = count(1)

load_profiles()


def pytest_configure() -> None:
    """A run in the background ignores Ctrl-C, and so would every program that a test starts to interrupt it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


STREAMS = Path(__file__).parent / "streams"
SERVICES = {"kafka_broker", "tansu_broker", "broker", "store_server", "store", "clickhouse_server", "any_store"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what starts a broker or a store, so that the rest can be run alone: `-m "not services"`.

    The stream's files come first, since they take longest: the many quick ones fill both workers up to the end.
    """
    for item in items:
        if isinstance(item, pytest.Function) and SERVICES & set(item.fixturenames):
            item.add_marker(pytest.mark.services)
    items.sort(key=lambda item: STREAMS not in item.path.parents)


@dataclass(frozen=True)
class Broker:
    """A broker and the consumer-group times (seconds) that suit it."""

    kind: Literal["kafka", "tansu"]
    bootstrap_servers: str
    rebalance_timeout: float
    session_timeout: float
    heartbeat: float

    @classmethod
    def kafka(cls, bootstrap_servers: str) -> Broker:
        """An Apache Kafka."""
        return cls("kafka", bootstrap_servers, 10, 10, 3)

    @classmethod
    def tansu(cls, bootstrap_servers: str) -> Broker:
        """The embedded broker."""
        return cls("tansu", bootstrap_servers, 2, 6, 1)


def unavailable(what: str, why: str) -> None:
    """Skip the test, or fail it where EVENHAND_REQUIRE says that it must run."""
    if what in os.environ.get("EVENHAND_REQUIRE", "").split(","):
        pytest.fail(f"EVENHAND_REQUIRE names {what}, but: {why}")
    pytest.skip(f"no {what} here: {why}")


@contextmanager
def running_children(directory: Path) -> Iterator[Children]:
    children = Children(directory)
    try:
        yield children
    finally:
        asyncio.run(children.stop_all())


@pytest.fixture(scope="session")
def kafka_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Bootstrap servers of a real Apache Kafka."""
    given = os.environ.get("EVENHAND_TEST_BOOTSTRAP")
    if given:
        yield given
        return
    try:
        kafka = ApacheKafka(tmp_path_factory.mktemp("kafka"))
    except KafkaMissing as missing:
        if not docker_answers():
            unavailable("kafka", f"{missing}, and no Docker engine answers")
        with kafka_container() as address:
            yield address
        return
    try:
        kafka.start()
        yield kafka.bootstrap_servers
    finally:
        kafka.stop()


@pytest.fixture(scope="session")
def tansu_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Bootstrap servers of the embedded broker."""
    with running_children(tmp_path_factory.mktemp("tansu")) as children:
        _, address = asyncio.run(start_broker(children))
        yield address


@pytest.fixture(params=[pytest.param("kafka", marks=pytest.mark.kafka), "tansu"])
def broker(request: pytest.FixtureRequest) -> Broker:
    """Apache Kafka and the embedded broker, in turn."""
    if request.param == "kafka":
        return Broker.kafka(request.getfixturevalue("kafka_broker"))
    return Broker.tansu(request.getfixturevalue("tansu_broker"))


@pytest.fixture
def topic_prefix() -> str:
    """A prefix for topics and groups that no other test uses, on this broker or another run's."""
    return f"t{os.getpid()}-{next(_numbers)}."


@pytest.fixture(scope="session")
def store_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The DSN of an embedded store, its default database empty."""
    with running_children(tmp_path_factory.mktemp("store-logs")) as children:
        _, dsn = asyncio.run(start_store(children, tmp_path_factory.mktemp("store")))
        yield dsn


@pytest.fixture(scope="session")
def clickhouse_server() -> Iterator[str]:
    """The DSN of a ClickHouse server."""
    if not docker_answers():
        unavailable("clickhouse", "no Docker engine answers")
    with clickhouse_container() as dsn:
        yield dsn


@pytest.fixture
def store(store_server: str) -> str:
    """The DSN of a database of its own in the embedded store, with its tables and no rows."""
    return fresh_database(store_server)


@pytest.fixture(params=["embedded", "server"])
def any_store(request: pytest.FixtureRequest) -> str:
    """As `store`, in the embedded store and in a ClickHouse server."""
    server = "store_server" if request.param == "embedded" else "clickhouse_server"
    return fresh_database(request.getfixturevalue(server))


def fresh_database(server: str) -> str:
    dsn = Dsn(server).with_password(database=f"test_{os.getpid()}_{next(_numbers)}")
    asyncio.run(migrate(dsn))
    return dsn
