"""What can go wrong with a worker."""

from __future__ import annotations

from typing import ClassVar


class WorkerError(Exception):
    """A worker that can't start, or had to stop: what, where, what to do."""

    exit_code: ClassVar[int] = 1
