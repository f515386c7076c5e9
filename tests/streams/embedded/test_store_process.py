"""The store as a process: how it starts, refuses to start, ends, and what survives a kill."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import clickhouse_connect
import pytest

from metrics.clickhouse.client import connect
from metrics.clickhouse.errors import StoreUnavailable
from streams.embedded.children import Children
from streams.embedded.errors import ChildFailed, PortInUse
from streams.embedded.store_process import start_store

TABLE = "CREATE TABLE IF NOT EXISTS t (n UInt64) ENGINE = MergeTree ORDER BY n"


async def test_one_process_owns_a_directory_and_the_other_is_told_who(tmp_path: Path) -> None:
    async with Children(tmp_path / "logs") as children:
        owner, dsn = await start_store(children, tmp_path / "store")
        message = rf"in use by process {owner.pid}, and one process owns .*Connect to the running store by its DSN"
        with pytest.raises(ChildFailed, match=message):
            await start_store(children, tmp_path / "store")
        async with await connect(dsn) as client:
            assert await client.rows("SELECT 1") == [(1,)]


async def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        async with Children(tmp_path / "logs") as children:
            with pytest.raises(PortInUse, match=f"the store can't listen on 127.0.0.1:{port}: the port is in use"):
                await start_store(children, tmp_path / "store", port=port)
        alone = run_store(tmp_path / "store", port)
    assert alone.returncode == 1
    assert alone.stderr.startswith(f"the store can't listen on 127.0.0.1:{port}: the port is in use")


@pytest.mark.parametrize("path", ["/proc/store", "{file}"])
def test_a_path_that_can_not_be_used(tmp_path: Path, path: str) -> None:
    file = tmp_path / "file"
    file.touch()
    finished = run_store(Path(path.format(file=file)), 0)
    assert finished.returncode == 1
    assert finished.stderr.startswith("the store can't use ")
    assert finished.stderr.endswith("Choose a directory that this user can write\n")


async def test_it_listens_on_loopback_alone(tmp_path: Path) -> None:
    async with Children(tmp_path / "logs") as children:
        _, dsn = await start_store(children, tmp_path / "store")
        port = int(dsn.rpartition(":")[2].partition("/")[0])
        for host in other_addresses():
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection(host, port)


async def test_sigterm_ends_it_cleanly_with_what_runs_finished(tmp_path: Path) -> None:
    async with Children(tmp_path / "logs") as children:
        child, dsn = await start_store(children, tmp_path / "store")
        async with await connect(dsn) as client:
            await client.command(TABLE)
            # Long enough to be in the middle at the signal: sleepEachRow holds each block back.
            slow = asyncio.create_task(
                client.command("INSERT INTO t SELECT number FROM numbers(5) WHERE sleepEachRow(0.2) = 0")
            )
            await asyncio.sleep(0.3)
            assert await children.stop(child, grace_seconds=20) == 0
            with contextlib.suppress(StoreUnavailable):
                await slow
        _, dsn = await start_store(children, tmp_path / "store")
        async with await connect(dsn) as client:
            assert await client.rows("SELECT count() FROM t") == [(5,)]


async def test_the_hosts_zone_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    async with Children(tmp_path / "logs") as children:
        _, dsn = await start_store(children, tmp_path / "store")
        async with await connect(dsn) as client:
            assert await client.rows("SELECT timezone(), toString(toDateTime(0))") == [("UTC", "1970-01-01 00:00:00")]


async def test_kill_9_loses_no_acknowledged_row(tmp_path: Path) -> None:
    acknowledged: set[int] = set()
    async with Children(tmp_path / "logs") as children:
        for round_number in range(3):
            child, dsn = await start_store(children, tmp_path / "store")
            killer = threading.Timer(0.3 + 0.17 * round_number, child.process.kill)
            killer.start()
            await insert_until_dead(dsn, acknowledged, start=round_number * 1_000_000)
            killer.join()
            await children.stop(child)
        _, dsn = await start_store(children, tmp_path / "store")
        async with await connect(dsn) as client:
            kept = {n for (n,) in await client.rows("SELECT n FROM t")}
    assert len(acknowledged) > 100
    assert acknowledged - kept == set()


async def insert_until_dead(dsn: str, acknowledged: set[int], *, start: int) -> None:
    async with await connect(dsn) as client:
        await client.command(TABLE)
        with contextlib.suppress(StoreUnavailable):
            for first in range(start, start + 1_000_000, 10):
                rows = range(first, first + 10)
                await client.insert("t", ["n"], [[n] for n in rows])
                acknowledged.update(rows)


async def test_a_client_that_goes_away_does_no_harm(tmp_path: Path) -> None:
    async with Children(tmp_path / "logs") as children:
        _, dsn = await start_store(children, tmp_path / "store")
        async with await connect(dsn) as client:
            impatient = asyncio.create_task(client.rows("SELECT sleep(1)"))
            await asyncio.sleep(0.2)
            impatient.cancel()
            with pytest.raises(asyncio.CancelledError):
                await impatient
            assert await client.rows("SELECT 1") == [(1,)]


def test_the_synchronous_client_too(store_server: str) -> None:
    client = clickhouse_connect.get_client(dsn=store_server)
    assert client.query("SELECT number FROM numbers(3)").result_rows == [(0,), (1,), (2,)]
    client.close()


def run_store(path: Path, port: int) -> "subprocess.CompletedProcess[str]":
    """The store as a command that is expected to end by itself."""
    command = [sys.executable, "-m", "streams.embedded.store_server", "--path", str(path), "--port", str(port)]
    root = str(Path(__file__).parents[3])
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": root}, check=False
    )


def other_addresses() -> list[str]:
    """This machine's addresses besides loopback's 127.0.0.1."""
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return sorted(({str(address) for address in addresses} | {"127.0.0.2"}) - {"127.0.0.1"})
