"""The file that a command reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streams.cli.errors import InputError


@contextmanager
def readable(file: str) -> Iterator[None]:
    """Turns a file that can't be read into an InputError that names it; other errors, of writing say, pass."""
    try:
        yield
    except OSError as error:
        if not isinstance(error.filename, str) or Path(error.filename) != Path(file):
            raise
        raise InputError(f"can't read {file}: {error.strerror}") from None
