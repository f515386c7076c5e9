"""The in-process ClickHouse engine on one directory: a statement in, bytes or a ClickHouse error out."""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

from streams.embedded.errors import PartMissing, PathInUse, PathUnusable

_CODE = re.compile(r"Code: (\d+)\. ")
_SETTING_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEADING_COMMENTS = rb"(?:\s|/\*.*?\*/|--[^\n]*\n)*"
_INSERT_WITH_DATA = re.compile(
    _LEADING_COMMENTS
    + rb"(?P<into>INSERT\s+INTO\s.*?)(?P<settings>\bSETTINGS\s.*?)?"
    + rb"\bFORMAT\s+(?P<format>\w+)[^\S\n]*(?:;?\s*$|\n|\s)",
    re.IGNORECASE | re.DOTALL,
)
_HEAD_BYTES = 65_536


@dataclass(frozen=True)
class Statement:
    """One statement with what surrounds it: bound parameters, settings and the database it runs in.

    `sql` holds an INSERT's data too, after its FORMAT clause, as on ClickHouse's HTTP interface.
    """

    sql: bytes
    parameters: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    database: str | None = None
    read_only: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a statement gave: the bytes in its format, rows read or written, and the time it took."""

    body: bytes
    rows_read: int
    rows_written: int
    elapsed_seconds: float


class EngineError(Exception):
    """The engine refused a statement; `code` is ClickHouse's error code (0 where it gave none)."""

    def __init__(self, message: str) -> None:
        coded = _CODE.search(message)
        super().__init__(message[coded.start() :] if coded else message)
        self.code = int(coded[1]) if coded else 0


class Engine:
    """The engine on a directory that this process owns until `close`.

    Every statement runs on a connection of its own, which costs about 1 ms: settings, database and leftovers of a
    failed statement never reach another one, connections run in parallel, and no lock is needed.

    Raises PathInUse where another process owns the directory, PathUnusable where it can't be used, PartMissing where
    the engine isn't installed.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._connect: Callable[[str], Any] = import_module("chdb").connect
        except ImportError:
            raise PartMissing("the in-process ClickHouse engine (chdb)") from None
        self._path = path.absolute()
        _prepare(self._path)
        # Asked first: the engine writes to standard error by itself where another process has the directory.
        if (pid := _owner_of(self._path)) not in (None, os.getpid()):
            raise PathInUse(self._path, pid or None)
        try:
            # Held open all the time: the engine shuts down with its last connection.
            self._owner = self._connect(str(self._path))
        except RuntimeError as error:
            pid = _owner_of(self._path)
            if pid is not None:
                raise PathInUse(self._path, pid or None) from None
            raise PathUnusable(self._path, _first_line(str(error))) from None

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the directory; statements must have ended."""
        self._owner.close()

    def run(self, statement: Statement) -> Outcome:
        """The outcome of one statement, TabSeparated where it names no format. Blocks; raises EngineError."""
        connection = self._connect(str(self._path))
        try:
            return _run_on(connection, statement)
        except EngineError:
            raise
        except Exception as error:
            # The engine's errors come as RuntimeError and as children of Exception, all with their text alone.
            raise EngineError(str(error)) from None
        finally:
            connection.close()


def _run_on(connection: Any, statement: Statement) -> Outcome:
    if statement.database:
        connection.query(f"USE {_identifier(statement.database)}", "TabSeparated")
    if statement.settings:
        connection.query(f"SET {_assignments(statement.settings)}", "TabSeparated")
    if statement.read_only:
        # 2: reads only, and settings may still be changed, as for a GET on ClickHouse's HTTP interface.
        connection.query("SET readonly = 2", "TabSeparated")
    insert = _INSERT_WITH_DATA.match(statement.sql[:_HEAD_BYTES])
    if insert is not None and not statement.read_only:
        return _insert(connection, insert, statement)
    result = connection.query(statement.sql, "TabSeparated", params=dict(statement.parameters))
    return Outcome(result.bytes() or b"", result.rows_read(), 0, result.elapsed())


def _insert(connection: Any, insert: re.Match[bytes], statement: Statement) -> Outcome:
    # The engine's own streaming insert reports rows as written that a constraint, a limit or a full disk refused
    # when they were committed; an insert from a file tells.
    with tempfile.TemporaryFile() as data:
        data.write(memoryview(statement.sql)[insert.end() :])
        data.flush()
        data.seek(0)
        sql = (
            f"{insert['into'].decode()} FROM INFILE '/dev/fd/{data.fileno()}' "
            f"{(insert['settings'] or b'').decode()} FORMAT {insert['format'].decode()}"
        )
        result = connection.query(sql, "TabSeparated")
    return Outcome(b"", 0, result.rows_read(), result.elapsed())


def _identifier(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def _assignments(settings: Mapping[str, str]) -> str:
    for name in settings:
        if _SETTING_NAME.fullmatch(name) is None:
            raise EngineError("Code: 115. DB::Exception: a setting's name is a plain identifier. (UNKNOWN_SETTING)")
    quoted = {name: value.replace("\\", "\\\\").replace("'", "\\'") for name, value in settings.items()}
    return ", ".join(f"{name} = '{value}'" for name, value in quoted.items())


def _prepare(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink(missing_ok=True)  # another process may be trying the same directory
    except OSError as error:
        raise PathUnusable(path, error.strerror or str(error)) from None


def _owner_of(path: Path) -> int | None:
    """The process that holds the directory's lock (0 where it doesn't say which), or None where nobody does."""
    try:
        with (path / "status").open("r") as status:
            try:
                fcntl.flock(status, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                owner = re.search(r"PID: (\d+)", status.read())
                return int(owner[1]) if owner else 0
    except OSError:
        return None
    return None


def _first_line(text: str) -> str:
    # A stack trace follows in the same line.
    return text.split(", Stack trace", 1)[0].splitlines()[0][:300]
