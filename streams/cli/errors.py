"""What can go wrong with a command line that no other package knows of.

Like every error that may end a command, they carry the exit code: see `streams.cli.run`.
"""

from __future__ import annotations

from typing import ClassVar


class InputError(Exception):
    """Wrong input: what, and what is allowed."""

    exit_code: ClassVar[int] = 2


class RunError(Exception):
    """The run did not come to what was asked for."""

    exit_code: ClassVar[int] = 1
