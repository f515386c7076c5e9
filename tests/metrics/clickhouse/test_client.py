"""Errors of the store tell an outage, a wrong request and bad rows apart, and never show a password or a value."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from aiohttp import web

from metrics.clickhouse.client import StoreClient, connect
from metrics.clickhouse.errors import RowsRefused, StoreRefused, StoreUnavailable
from streams.embedded.children import free_port


@pytest.fixture
async def client(store: str) -> AsyncIterator[StoreClient]:
    async with await connect(store) as client:
        await client.command(
            "CREATE TABLE t (n UInt8, s String, at Nullable(DateTime('UTC')), CONSTRAINT small CHECK n < 100) "
            "ENGINE = MergeTree ORDER BY n"
        )
        yield client


async def test_rows_go_in_and_come_out_with_aware_times(client: StoreClient) -> None:
    moment = datetime(2026, 11, 30, 12, tzinfo=UTC)
    await client.insert("t", ["n", "s", "at"], [[1, "one", moment], [2, "two", None]])
    rows = await client.rows("SELECT n, s, at FROM t WHERE n >= {least:UInt8} ORDER BY n", {"least": 1})
    assert rows == [(1, "one", moment), (2, "two", None)]
    assert rows[0][2].tzinfo is not None


async def test_nobody_there() -> None:
    port = free_port()
    with pytest.raises(StoreUnavailable) as failed:
        await connect(f"clickhouse://user:secret@127.0.0.1:{port}/db")
    text = str(failed.value)
    assert text.startswith(f"ClickHouse at 127.0.0.1:{port} can't be reached: ")
    assert f"Is it running, and is the DSN clickhouse://user@127.0.0.1:{port}/db right?" in text
    assert "secret" not in text


async def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(StoreUnavailable, match=r"ClickHouse at nowhere\.invalid:8123 can't be reached"):
        await connect("clickhouse://nowhere.invalid/db")


async def test_a_database_that_does_not_exist(store: str) -> None:
    with pytest.raises(StoreRefused, match=r"there is no database 'nope' at .*: run `evenhand migrate`") as failed:
        await connect(store.rpartition("/")[0] + "/nope")
    assert failed.value.code == 81


@pytest.mark.parametrize(
    ("status", "headers", "error", "match"),
    [
        (403, {"X-ClickHouse-Exception-Code": "516"}, StoreRefused, "refuses this user: check user and password"),
        (500, {"X-ClickHouse-Exception-Code": "241"}, StoreUnavailable, "can't do this now"),
        (500, {"X-ClickHouse-Exception-Code": "252"}, StoreUnavailable, "can't do this now"),
        (502, {}, StoreUnavailable, "isn't ClickHouse"),
        (404, {}, StoreUnavailable, "isn't ClickHouse"),
        (503, {}, StoreUnavailable, "can't be reached"),
    ],
)
async def test_answers_of_a_server_in_trouble(
    status: int, headers: dict[str, str], error: type[Exception], match: str
) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, headers=headers, text="Code: 0. secret statement (SOME_NAME)")

    application = web.Application()
    application.router.add_route("*", "/", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    with pytest.raises(error, match=match) as failed:
        await connect(f"clickhouse://user:secret@127.0.0.1:{port}/db")
    assert "secret" not in str(failed.value) or status in (404, 502, 503)
    assert "user:secret" not in str(failed.value)
    await runner.cleanup()


@pytest.mark.parametrize(
    ("sql", "match"),
    [
        ("SELECT * FROM nowhere", "a table or column is missing at .*: run `evenhand migrate`"),
        ("SELECT nothing FROM t", "a table or column is missing"),
        ("SELEC 'private words'", "refuses the statement: SYNTAX_ERROR"),
        ("SELECT toUInt8('private words')", "refuses the statement: CANNOT_PARSE_TEXT"),
    ],
)
async def test_a_wrong_statement_is_refused_without_being_repeated(client: StoreClient, sql: str, match: str) -> None:
    with pytest.raises(StoreRefused, match=match) as failed:
        await client.rows(sql)
    assert "private words" not in str(failed.value)


@pytest.mark.parametrize(
    "row",
    [
        [300, "private words", None],
        [-1, "private words", None],
        [None, "private words", None],
        ["private words", "x", None],
        [1, "private words \ud83d", None],
        [1, "private words", datetime(2126, 1, 1, tzinfo=UTC)],
        [101, "private words", None],
    ],
    ids=["too large", "negative", "null", "no number", "half a surrogate", "after 2106", "breaks a constraint"],
)
async def test_a_row_that_does_not_fit_is_refused_without_being_repeated(
    client: StoreClient, row: list[object], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(RowsRefused) as failed:
        await client.insert("t", ["n", "s", "at"], [[1, "fine", None], row])
    assert "private words" not in str(failed.value) + caplog.text
    assert await client.rows("SELECT count() FROM t") == [(0,)]


async def test_a_column_that_is_missing_is_no_fault_of_the_rows(client: StoreClient) -> None:
    with pytest.raises(StoreRefused):
        await client.insert("t", ["n", "colour"], [[1, "green"]])
    with pytest.raises(StoreRefused, match="run `evenhand migrate`"):
        await client.insert("nowhere", ["n"], [[1]])


async def test_a_closed_client_is_no_outage(store: str) -> None:
    client = await connect(store)
    await client.close()
    with pytest.raises(StoreRefused):
        await client.rows("SELECT 1")
    with pytest.raises(StoreRefused):
        await client.insert("migrations", ["name", "hash"], [["a", "b"]])


async def test_cancelling_is_not_an_error_of_the_store(client: StoreClient) -> None:
    asked = asyncio.create_task(client.rows("SELECT sleep(0.5)"))
    await asyncio.sleep(0.1)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert await client.rows("SELECT 1") == [(1,)]
