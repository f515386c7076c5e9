"""The store speaks ClickHouse's HTTP protocol as ClickHouse's own clients expect it."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import clickhouse_connect
import pytest
from clickhouse_connect.driver.asyncclient import AsyncClient
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import DatabaseError

from tests.conftest import fresh_database

AWKWARD = "quote ' and \" back\\slash\ttab\nline é \U0001f600 {x:String} 'a' -- /* ;"


@pytest.fixture
def database(store_server: str) -> str:
    return fresh_database(store_server)


@pytest.fixture
def client(database: str) -> Iterator[Client]:
    client = clickhouse_connect.get_client(dsn=database)
    client.command("CREATE TABLE t (n UInt64, s String) ENGINE = MergeTree ORDER BY n")
    yield client
    client.close()


@pytest.fixture
async def async_client(database: str, client: Client) -> AsyncIterator[AsyncClient]:
    async_client = await clickhouse_connect.get_async_client(dsn=database)
    yield async_client
    await async_client.close()


@pytest.fixture
async def http(store_server: str) -> AsyncIterator[aiohttp.ClientSession]:
    base = f"http://{urlsplit(store_server).netloc.rpartition('@')[2]}"
    async with aiohttp.ClientSession(base) as session:
        yield session


@pytest.mark.parametrize("scheme", ["http", "clickhouse"])
def test_a_client_connects_by_either_form_of_dsn(store_server: str, scheme: str) -> None:
    client = clickhouse_connect.get_client(dsn=f"{scheme}://{urlsplit(store_server).netloc}/default")
    assert client.command("SELECT 41 + 1") == 42
    assert client.ping()
    client.close()


def test_values_come_back_as_they_were_inserted(client: Client) -> None:
    client.command(
        "CREATE TABLE every (s String, u UInt128, f Nullable(Float64), t DateTime64(6, 'UTC'), a Array(String)) "
        "ENGINE = MergeTree ORDER BY s"
    )
    moment = datetime(2026, 11, 30, 23, 59, 59, 123456, tzinfo=UTC)
    row = (AWKWARD, 2**128 - 1, None, moment, [AWKWARD, ""])
    client.insert("every", [row], column_names=["s", "u", "f", "t", "a"])
    assert client.query("SELECT * FROM every", tz_mode="aware").result_rows == [row]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("String", AWKWARD),
        ("UInt64", 2**64 - 1),
        ("Float64", -1.5e-300),
        ("Array(String)", [AWKWARD, "x"]),
        ("Nullable(String)", None),
    ],
)
def test_bound_parameters_arrive_as_they_are(client: Client, kind: str, value: Any) -> None:
    assert client.query(f"SELECT {{x:{kind}}}", parameters={"x": value}).result_rows == [(value,)]


def test_parameters_too_large_for_a_url_are_sent_as_a_form(client: Client) -> None:
    many = [f"transcript {number} {AWKWARD}" for number in range(5_000)]
    assert client.query("SELECT {ids:Array(String)}", parameters={"ids": many}).result_rows == [(many,)]


@pytest.mark.parametrize("compress", [True, False, "lz4", "zstd", "gzip"])
def test_every_compression_of_requests_and_responses(client: Client, database: str, compress: bool | str) -> None:
    other = clickhouse_connect.get_client(dsn=database, compress=compress)
    rows = [(number, "text " * 20) for number in range(20_000)]
    other.insert("t", rows, column_names=["n", "s"])
    assert other.query("SELECT n, s FROM t ORDER BY n").result_rows == rows
    other.close()


async def test_a_response_is_compressed_as_asked(http: aiohttp.ClientSession) -> None:
    query = {"query": "SELECT repeat('x', 100000)", "enable_http_compression": "1"}
    async with http.get("/", params=query, headers={"Accept-Encoding": "gzip"}, auto_decompress=False) as response:
        assert response.headers["Content-Encoding"] == "gzip"
        body = await response.read()
    assert len(body) < 1_000
    assert gzip.decompress(body) == b"x" * 100_000 + b"\n"


@pytest.mark.parametrize(
    ("sql", "settings", "status", "code", "name"),
    [
        ("SELECT * FROM nowhere", {}, 404, 60, "UNKNOWN_TABLE"),
        ("SELEC 1", {}, 400, 62, "SYNTAX_ERROR"),
        ("SELECT 1", {"no_such_setting": "1"}, 404, 115, "UNKNOWN_SETTING"),
        ("SELECT 1", {"max_threads`; DROP TABLE t": "1"}, 404, 115, "UNKNOWN_SETTING"),
        ("SELECT {x:UInt8}", {"param_x": "many"}, 400, 457, "BAD_QUERY_PARAMETER"),
        ("SELECT 1", {"database": "nowhere"}, 404, 81, "UNKNOWN_DATABASE"),
        ("SELECT throwIf(number = 500000) FROM numbers(1000000)", {}, 500, 395, "FUNCTION_THROW_IF_VALUE"),
    ],
)
async def test_errors_have_clickhouses_code_and_an_http_status(
    http: aiohttp.ClientSession, sql: str, settings: dict[str, str], status: int, code: int, name: str
) -> None:
    async with http.post("/", data=sql, params=settings) as response:
        assert response.status == status
        assert response.headers["X-ClickHouse-Exception-Code"] == str(code)
        text = await response.text()
    assert text.startswith(f"Code: {code}. ")
    assert name in text


def test_a_client_gets_the_error_and_goes_on(client: Client) -> None:
    for _ in range(3):
        with pytest.raises(DatabaseError) as failed:
            client.query("SELECT throwIf(number = 500000), repeat('x', 100) FROM numbers(1000000)")
        assert failed.value.code == 395
        assert client.query("SELECT 'fine'").result_rows == [("fine",)]


@pytest.mark.parametrize(
    ("table", "rows", "code"),
    [
        ("ENGINE = MergeTree ORDER BY n", "1,one\ntwo,2\n", 27),
        # Refused when they are committed, after every row was read.
        ("ENGINE = MergeTree ORDER BY n PARTITION BY n", "".join(f"{n},x\n" for n in range(200)), 252),
    ],
)
async def test_an_insert_that_fails_says_so_and_stores_nothing(
    http: aiohttp.ClientSession, client: Client, database: str, table: str, rows: str, code: int
) -> None:
    client.command(f"CREATE TABLE f (n UInt64, s String) {table}")
    where = {"database": database.rpartition("/")[2]}
    async with http.post("/", data=f"INSERT INTO f FORMAT CSV\n{rows}", params=where) as response:
        assert response.headers["X-ClickHouse-Exception-Code"] == str(code)
    assert client.command("SELECT count() FROM f") == 0


async def test_an_insert_with_settings_and_its_statement_in_the_url(
    http: aiohttp.ClientSession, client: Client, database: str
) -> None:
    query = "/* why */ INSERT INTO t (s, n) SETTINGS max_threads = 1 FORMAT TabSeparated"
    where = {"database": database.rpartition("/")[2], "query": query}
    async with http.post("/", data="one\t1\n", params=where) as response:
        assert response.status == 200
        assert '"written_rows": "1"' in response.headers["X-ClickHouse-Summary"]
    assert client.query("SELECT n, s FROM t").result_rows == [(1, "one")]


async def test_settings_and_database_hold_for_one_request_only(http: aiohttp.ClientSession, database: str) -> None:
    asked = "SELECT getSetting('max_result_rows'), currentDatabase()"
    name = database.rpartition("/")[2]
    async with http.post("/", data=asked, params={"max_result_rows": "77", "database": name}) as response:
        assert await response.text() == f"77\t{name}\n"
    async with http.post("/", data=asked) as response:
        assert await response.text() == "0\tdefault\n"


async def test_what_clickhouse_itself_answers(http: aiohttp.ClientSession) -> None:
    for path in ("/ping", "/"):
        async with http.get(path) as response:
            assert (response.status, await response.text()) == (200, "Ok.\n")
    async with http.get("/", params={"query": "SELECT 1 AS x FORMAT JSONEachRow", "query_id": "mine"}) as response:
        assert await response.text() == '{"x":1}\n'
        assert response.headers["X-ClickHouse-Format"] == "JSONEachRow"
        assert response.headers["X-ClickHouse-Query-Id"] == "mine"
        assert "read_rows" in response.headers["X-ClickHouse-Summary"]


async def test_a_get_only_reads(http: aiohttp.ClientSession) -> None:
    async with http.get("/", params={"query": "CREATE TABLE x (n UInt8) ENGINE = Memory"}) as response:
        assert (response.status, response.headers["X-ClickHouse-Exception-Code"]) == (500, "164")


@pytest.mark.parametrize("headers", [{"Origin": "https://example.com"}, {"Host": "rebound.example.com:8123"}])
async def test_a_web_page_gets_nothing(http: aiohttp.ClientSession, headers: dict[str, str]) -> None:
    async with http.post("/", data="SELECT 1", headers=headers) as response:
        assert response.status == 403


async def test_many_clients_at_once(async_client: AsyncClient) -> None:
    async def write_and_read(worker: int) -> None:
        for batch in range(10):
            first = (worker * 10 + batch) * 50
            await async_client.insert("t", [(first + i, "x") for i in range(50)], column_names=["n", "s"])
            counted = await async_client.query(
                "SELECT count() FROM t WHERE n >= {n:UInt64} AND n < {n:UInt64} + 50", {"n": first}
            )
            assert counted.result_rows == [(50,)]

    await asyncio.gather(*(write_and_read(worker) for worker in range(8)))
    assert (await async_client.query("SELECT count(), uniqExact(n) FROM t")).result_rows == [(4000, 4000)]
