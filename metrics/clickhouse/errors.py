"""What can go wrong with the store.

StoreError
    StoreUnavailable    an outage: nothing is wrong with the request, try again
    StoreRefused        the request or the set-up is wrong: trying again doesn't help
    RowsRefused         an insert failed because of what is in its rows
    DsnError            an address that can't be read
    MigrationError      the tables are not what this version knows
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class StoreError(Exception):
    """The root: the store can't do what was asked."""

    exit_code: ClassVar[int] = 1


class StoreUnavailable(StoreError):
    """An outage, or a store that is too busy: the same request may go well later."""


class StoreRefused(StoreError):
    """The store refused for good; `code` is ClickHouse's error code."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class RowsRefused(StoreError):
    """At least one row of an insert can't be stored; the message repeats none of its values."""


class DsnError(StoreError):
    """An address that is no ClickHouse DSN."""


class MigrationError(StoreError):
    """The database's tables are not what this version of evenhand knows."""


@dataclass(frozen=True)
class BadRow:
    """A row that can't be stored: its index among those that were given, and why, without its values."""

    index: int
    reason: str
