"""Servers in containers, where a Docker engine answers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache


@cache
def docker_answers() -> bool:
    """Whether containers can be started here."""
    if shutil.which("docker") is None:
        return False
    try:
        return subprocess.run(["docker", "info"], capture_output=True, timeout=20, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@contextmanager
def kafka_container() -> Iterator[str]:
    """The bootstrap servers of an Apache Kafka in KRaft mode."""
    from testcontainers.community.kafka import KafkaContainer

    container = KafkaContainer("confluentinc/cp-kafka:8.0.0").with_kraft()
    # A killed member is missed for the session timeout, which the tests make short.
    with container.with_env("KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "1000") as kafka:
        yield str(kafka.get_bootstrap_server())


@contextmanager
def clickhouse_container() -> Iterator[str]:
    """The DSN of a ClickHouse server."""
    from testcontainers.community.clickhouse import ClickHouseContainer

    with ClickHouseContainer("clickhouse/clickhouse-server:25.8", dbname="default") as server:
        address = f"{server.get_container_host_ip()}:{server.get_exposed_port(8123)}"
        yield f"clickhouse://{server.username}:{server.password}@{address}/default"
