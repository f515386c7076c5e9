"""The store's tables: numbered SQL files, applied in order, each once.

Every statement can be run again without harm (`IF NOT EXISTS`), so two processes that migrate at once, or one that
is killed half-way, end in the same tables: no lock is needed.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files

from metrics.clickhouse.client import StoreClient, connect
from metrics.clickhouse.dsn import Dsn
from metrics.clickhouse.errors import MigrationError

# When a row's time is past retention. Files may hold records without a time: those count from when they were stored.
_RETAINED = {
    "evaluations": "toDateTime(coalesce(occurred_at, toDateTime64(stored_at, 6, 'UTC')), 'UTC')",
    "pairs": "toDateTime(coalesce(occurred_at, toDateTime64(stored_at, 6, 'UTC')), 'UTC')",
    "variants": "toDateTime(coalesce(occurred_at, toDateTime64(stored_at, 6, 'UTC')), 'UTC')",
}

_APPLIED_TABLE = """
CREATE TABLE IF NOT EXISTS migrations (name String, hash String, applied_at DateTime('UTC') DEFAULT now())
ENGINE = ReplacingMergeTree ORDER BY name
"""


# A quote within a quoted text is doubled or has a backslash before it.
_SQL_TOKEN = re.compile(
    r"""
      (?P<comment> --[^\n]* | /\*.*?\*/ )
    | (?P<quoted> '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*" | `(?:[^`\\]|\\.|``)*` )
    | (?P<end> ; )
    | (?P<other> [^-/'"`;]+ | . )
    """,
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True)
class Migration:
    """One numbered file and the statements in it."""

    name: str
    hash: str
    statements: tuple[str, ...]


async def migrate(dsn: str, *, retention_days: int | None = None) -> list[str]:
    """Bring the database at `dsn` up to date, making it where it isn't there; gives the names newly applied.

    `retention_days` None keeps rows for ever. Raises MigrationError where the database has migrations that this
    version doesn't know, or others under a known name; and what `connect` raises.
    """
    database = Dsn(dsn).database
    async with await connect(dsn, database="default") as client:
        await client.command(f"CREATE DATABASE IF NOT EXISTS `{_checked(database)}`")
    async with await connect(dsn) as client:
        applied = await _apply(client)
        for table, moment in _RETAINED.items():
            await _retain(client, table, moment, retention_days)
    return applied


def known_migrations() -> list[Migration]:
    """Every migration of this version, in order."""
    folder = files("metrics.clickhouse").joinpath("migrations")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    texts = {name: folder.joinpath(name).read_text(encoding="utf-8") for name in names}
    return [
        Migration(name.removesuffix(".sql"), hashlib.sha256(text.encode()).hexdigest(), tuple(statements_of(text)))
        for name, text in texts.items()
    ]


async def pending_migrations(client: StoreClient) -> list[str]:
    """The names of the migrations that the database lacks; none of it is applied. Raises MigrationError."""
    await client.command(_APPLIED_TABLE)
    known = known_migrations()
    there = await _applied(client, known)
    return [migration.name for migration in known if migration.name not in there]


async def _apply(client: StoreClient) -> list[str]:
    known = {migration.name: migration for migration in known_migrations()}
    pending = await pending_migrations(client)
    for name in pending:
        for statement in known[name].statements:
            await client.command(statement)
        # Recorded last: a migration that was cut off is run again.
        await client.insert("migrations", ["name", "hash"], [[name, known[name].hash]])
    return pending


async def _applied(client: StoreClient, known: list[Migration]) -> set[str]:
    hashes = {migration.name: migration.hash for migration in known}
    there = dict(await client.rows("SELECT name, hash FROM migrations FINAL"))
    unknown = sorted(set(there) - set(hashes))
    if unknown:
        raise MigrationError(
            f"the database at {client.dsn} has migrations that this version doesn't know ({', '.join(unknown)}): "
            "it belongs to a newer evenhand. Upgrade evenhand or use another database"
        )
    changed = sorted(name for name, applied_hash in there.items() if applied_hash != hashes[name])
    if changed:
        raise MigrationError(
            f"the database at {client.dsn} has other contents under the migrations {', '.join(changed)}: "
            "it was made by another build of evenhand. Use that build or another database"
        )
    return set(there)


async def _retain(client: StoreClient, table: str, moment: str, days: int | None) -> None:
    [(definition,)] = await client.rows(
        "SELECT create_table_query FROM system.tables WHERE database = currentDatabase() AND name = {table:String}",
        {"table": table},
    )
    limit = re.search(r"\bTTL\b.*?toIntervalDay\((\d+)\)", definition, re.DOTALL)
    current = int(limit[1]) if limit else None
    # Only a change is written: it makes ClickHouse go over the whole table.
    if days is None and current is not None:
        await client.command(f"ALTER TABLE {table} REMOVE TTL")
    elif days is not None and days != current:
        await client.command(f"ALTER TABLE {table} MODIFY TTL {moment} + toIntervalDay({days:d})")


def statements_of(text: str) -> list[str]:
    """The statements of an SQL text, without its comments; a `;` within a comment or a quoted text ends none."""
    parts = [""]
    for token in _SQL_TOKEN.finditer(text):
        if token["comment"] is not None:
            parts[-1] += " "
        elif token["end"] is not None:
            parts.append("")
        else:
            parts[-1] += token[0]
    return [part.strip() for part in parts if part.strip()]


def _checked(database: str) -> str:
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", database) is None:
        raise MigrationError(f"{database!r} can't be a database: letters, digits and underscores name one")
    return database
