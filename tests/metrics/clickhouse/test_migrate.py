"""Migrations: the same tables from any start, and a clear word where they can't be."""

import asyncio

import pytest

from metrics.clickhouse.client import connect
from metrics.clickhouse.errors import MigrationError
from metrics.clickhouse.migrate import known_migrations, migrate, pending_migrations, statements_of
from tests.conftest import fresh_database

TABLES = {"alarms", "deployments", "evaluations", "migrations", "pairs", "variants"}


@pytest.fixture
def empty(store_server: str) -> str:
    """The DSN of a database that doesn't exist yet."""
    return fresh_database(store_server) + "_empty"


async def query(dsn: str, sql: str) -> list[tuple[object, ...]]:
    async with await connect(dsn) as client:
        return await client.rows(sql)


async def test_a_new_database_gets_every_table(empty: str) -> None:
    assert await migrate(empty) == [migration.name for migration in known_migrations()]
    assert {name for (name,) in await query(empty, "SHOW TABLES")} == TABLES


async def test_again_changes_nothing(store: str) -> None:
    assert await migrate(store) == []
    assert await query(store, "SELECT name FROM migrations ORDER BY name") == [(m.name,) for m in known_migrations()]


async def test_two_at_once_end_in_the_same_tables(empty: str) -> None:
    await asyncio.gather(*(migrate(empty) for _ in range(4)))
    assert {name for (name,) in await query(empty, "SHOW TABLES")} == TABLES
    async with await connect(empty) as client:
        assert await pending_migrations(client) == []


async def test_one_that_was_cut_off_is_finished(store: str) -> None:
    async with await connect(store) as client:
        await client.command("DROP TABLE variants")
        await client.command("TRUNCATE TABLE migrations")
        assert await pending_migrations(client) == [migration.name for migration in known_migrations()]
    await migrate(store)
    assert {name for (name,) in await query(store, "SHOW TABLES")} == TABLES


async def test_a_database_of_a_newer_version(store: str) -> None:
    async with await connect(store) as client:
        await client.insert("migrations", ["name", "hash"], [["9999_later", "h"]])
    with pytest.raises(MigrationError, match=r"doesn't know \(9999_later\): it belongs to a newer evenhand"):
        await migrate(store)


async def test_a_database_with_other_contents(store: str) -> None:
    async with await connect(store) as client:
        await client.command("TRUNCATE TABLE migrations")
        await client.insert("migrations", ["name", "hash"], [[known_migrations()[0].name, "other"]])
    with pytest.raises(MigrationError, match="other contents under the migrations 0001_tables"):
        await migrate(store)


async def test_a_database_name_that_can_not_be(store_server: str) -> None:
    with pytest.raises(MigrationError, match="can't be a database"):
        await migrate(store_server.rpartition("/")[0] + "/x`; DROP")


async def test_retention_comes_changes_and_goes(store: str) -> None:
    asked = "SELECT name, extract(create_table_query, 'toIntervalDay\\((\\\\d+)\\)') FROM system.tables "
    asked += (
        "WHERE database = currentDatabase() AND name IN ('evaluations', 'pairs', 'variants', 'alarms') ORDER BY name"
    )
    for days in (30, 90, None):
        await migrate(store, retention_days=days)
        await migrate(store, retention_days=days)
        kept = "" if days is None else str(days)
        assert await query(store, asked) == [
            ("alarms", ""),
            ("evaluations", kept),
            ("pairs", kept),
            ("variants", kept),
        ]


async def test_rows_past_retention_go_and_others_stay(store: str) -> None:
    await migrate(store, retention_days=30)
    async with await connect(store) as client:
        await client.command(
            "INSERT INTO variants (transcript_id, occurred_at) "
            "VALUES ('old', now64(6) - INTERVAL 40 DAY), ('new', now64(6) - INTERVAL 20 DAY), ('undated', NULL)"
        )
        await client.command("OPTIMIZE TABLE variants FINAL")
        assert await client.rows("SELECT transcript_id FROM variants ORDER BY transcript_id") == [
            ("new",),
            ("undated",),
        ]


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("SELECT 1;\n-- then; another\nSELECT 2;", ["SELECT 1", "SELECT 2"]),
        ("CREATE TABLE t -- holds; what?\n(a String)", ["CREATE TABLE t  \n(a String)"]),
        ("SELECT 1 /* one;\ntwo; */; SELECT 2", ["SELECT 1", "SELECT 2"]),
        ("SELECT 'a;b', 'it''s; -- no comment'; SELECT 2", ["SELECT 'a;b', 'it''s; -- no comment'", "SELECT 2"]),
        (r"SELECT 'it\'s; one'; SELECT 2", [r"SELECT 'it\'s; one'", "SELECT 2"]),
        ('SELECT "a;b", `c;--d` FROM t; SELECT 2', ['SELECT "a;b", `c;--d` FROM t', "SELECT 2"]),
        ("SELECT 3 - 1 / 2; ;\n", ["SELECT 3 - 1 / 2"]),
        ("-- nothing; at all", []),
        ("", []),
    ],
)
def test_a_semicolon_in_a_comment_or_a_quoted_text_ends_no_statement(text: str, statements: list[str]) -> None:
    assert statements_of(text) == statements


async def test_statements_with_awkward_comments_run(store: str) -> None:
    text = "CREATE TABLE awkward (a String DEFAULT 'x;y') -- why; well\nENGINE = Memory;\n"
    text += "/* a; b */ INSERT INTO awkward VALUES ('--;');"
    async with await connect(store) as client:
        for statement in statements_of(text):
            await client.command(statement)
        assert await client.rows("SELECT a FROM awkward") == [("--;",)]


def test_migrations_are_numbered_without_a_gap_and_can_be_run_again() -> None:
    names = [migration.name for migration in known_migrations()]
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
    for migration in known_migrations():
        assert migration.statements
        assert all("IF NOT EXISTS" in statement for statement in migration.statements)
