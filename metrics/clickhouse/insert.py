"""Inserting a batch: one bad row fails a whole insert, so it is searched for and the rest is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from metrics.clickhouse.client import StoreClient
from metrics.clickhouse.errors import BadRow, RowsRefused
from metrics.clickhouse.rows import StoredTable, Unfit

Record = TypeVar("Record")


async def insert_records(client: StoreClient, table: StoredTable[Record], records: Sequence[Record]) -> list[BadRow]:
    """Store every record that can be stored; gives those that can't, by index. Returns when the rest is stored.

    Raises StoreUnavailable for an outage: then nothing is known about any of the records, and the whole batch may
    be written again, since ids make that harmless.
    """
    rows: list[tuple[int, Sequence[Any]]] = []
    bad: list[BadRow] = []
    for index, record in enumerate(records):
        try:
            rows.append((index, table.row(record)))
        except Unfit as error:
            bad.append(BadRow(index, str(error)))
    bad += await insert_rows(client, table.name, table.columns, rows)
    return sorted(bad, key=lambda row: row.index)


async def insert_rows(
    client: StoreClient, table: str, columns: Sequence[str], rows: Sequence[tuple[int, Sequence[Any]]]
) -> list[BadRow]:
    """Store (index, row) pairs; a refused block is halved until the rows at fault stand alone."""
    if not rows:
        return []
    try:
        await client.insert(table, columns, [row for _, row in rows])
    except RowsRefused as error:
        if len(rows) == 1:
            return [BadRow(rows[0][0], str(error))]
        middle = len(rows) // 2
        first = await insert_rows(client, table, columns, rows[:middle])
        return first + await insert_rows(client, table, columns, rows[middle:])
    return []
