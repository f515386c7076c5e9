"""A connection to the store: the driver's client with one error tree and UTC times.

The same code speaks to a ClickHouse server, a cluster and `evenhand store`: all over HTTP, told apart by the DSN.
"""

from __future__ import annotations

import logging
import struct
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import clickhouse_connect
from clickhouse_connect.driver.asyncclient import AsyncClient
from clickhouse_connect.driver.exceptions import DatabaseError, DataError, OperationalError

from metrics.clickhouse.dsn import Dsn
from metrics.clickhouse.errors import RowsRefused, StoreError, StoreRefused, StoreUnavailable

CONNECT_SECONDS = 5
ANSWER_SECONDS = 60

_UNKNOWN_DATABASE = 81
_MISSING = frozenset({16, 47, 60, _UNKNOWN_DATABASE})
_NOT_ALLOWED = frozenset({192, 193, 194, 497, 516})
# Codes of an insert whose data is at fault: it can't be parsed, doesn't fit its type, or breaks a constraint.
_BAD_DATA = frozenset({6, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 131, 321, 349, 407, 469})
# Codes of a statement that is wrong in itself.
_BAD_STATEMENT = frozenset({36, 42, 43, 44, 46, 57, 62, 115, 164, 184, 215, 456, 457})

# What the driver raises for a value that it can't write into its column.
_UNWRITABLE = (DataError, TypeError, ValueError, ArithmeticError, AttributeError, LookupError, struct.error)

# The driver logs the values of a row that it can't send, and errors that are raised here anyway.
logging.getLogger("clickhouse_connect").setLevel(logging.CRITICAL + 1)


class StoreClient:
    """One connection pool to the store. Use as an async context manager, or `close` it.

    Every method raises StoreUnavailable for an outage and StoreRefused for a request that can't go well;
    `insert` raises RowsRefused where the rows are at fault.
    """

    def __init__(self, driver: AsyncClient, dsn: Dsn) -> None:
        self._driver = driver
        self.dsn = dsn

    async def __aenter__(self) -> StoreClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._driver.close()

    async def command(self, sql: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Run a statement that gives no rows."""
        try:
            await self._driver.command(sql, parameters=dict(parameters or {}))
        except Exception as error:
            raise _translated(error, self.dsn) from None

    async def rows(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows that a query gives; times are aware, in UTC."""
        try:
            result = await self._driver.query(sql, parameters=dict(parameters or {}))
        except Exception as error:
            raise _translated(error, self.dsn) from None
        return [tuple(row) for row in result.result_rows]

    async def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Insert the rows as one block; returns when they are stored."""
        try:
            await self._driver.insert(table, rows, column_names=columns)
        except Exception as error:
            raise _translated_insert(error, self.dsn) from None


async def connect(dsn: str, *, database: str | None = None) -> StoreClient:
    """A client of the ClickHouse at `dsn`; `database` in place of the DSN's own.

    Raises DsnError, StoreUnavailable (nobody answers there) or StoreRefused (wrong user, no such database); each
    says what to do, and none shows the password.
    """
    address = Dsn(dsn)
    try:
        driver = await clickhouse_connect.get_async_client(
            dsn=address.with_password(database=database),
            connect_timeout=CONNECT_SECONDS,
            send_receive_timeout=ANSWER_SECONDS,
            client_name="evenhand",
            tz_mode="aware",
        )
    except Exception as error:
        raise _translated(error, address) from None
    return StoreClient(driver, address)


def _translated(error: Exception, dsn: Dsn) -> StoreError:
    code = _code(error)
    said = _said(error)
    if code is None:
        return _without_code(error, dsn, said)
    if code == _UNKNOWN_DATABASE:
        return StoreRefused(f"there is no database {dsn.database!r} at {dsn.location}: run `evenhand migrate`", code)
    if code in _MISSING:
        return StoreRefused(f"a table or column is missing at {dsn}: run `evenhand migrate` ({said})", code)
    if code in _NOT_ALLOWED:
        return StoreRefused(f"ClickHouse at {dsn.location} refuses this user: check user and password ({said})", code)
    if code in _BAD_STATEMENT or code in _BAD_DATA:
        return StoreRefused(f"ClickHouse at {dsn.location} refuses the statement: {said}", code)
    return StoreUnavailable(f"ClickHouse at {dsn.location} can't do this now: {said}")


def _without_code(error: Exception, dsn: Dsn, said: str) -> StoreError:
    """An error that didn't come from ClickHouse itself."""
    if isinstance(error, OperationalError | OSError):
        return StoreUnavailable(
            f"ClickHouse at {dsn.location} can't be reached: {said}. Is it running, and is the DSN {dsn} right?"
        )
    if type(error) is DatabaseError:
        # An HTTP error without ClickHouse's headers: a proxy in front of it, or something else altogether.
        return StoreUnavailable(f"what answers at {dsn.location} isn't ClickHouse: {said}. Is the DSN {dsn} right?")
    # A parameter that can't be written, a closed client: nothing that time would heal.
    return StoreRefused(f"ClickHouse's driver can't do this: {type(error).__name__}")


def _translated_insert(error: Exception, dsn: Dsn) -> StoreError:
    if _code(error) in _BAD_DATA:
        return RowsRefused(f"ClickHouse refuses a value: {_name(error)}")
    if isinstance(error, _UNWRITABLE):
        return RowsRefused(f"a value doesn't fit its column: {type(error).__name__}")
    return _translated(error, dsn)


def _code(error: Exception) -> int | None:
    # Only those of the driver's errors that came from ClickHouse have one.
    return getattr(error, "code", None)


def _name(error: Exception) -> str:
    return str(getattr(error, "name", None) or f"code {_code(error)}")


def _said(error: Exception) -> str:
    """What the error says, without the values and statements that ClickHouse may repeat in it."""
    if _code(error) is not None:
        return _name(error)
    return str(error).split("\n", 1)[0].removeprefix("Network Error: ")[:200]
