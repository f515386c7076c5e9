"""Files of one JSON object a line."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path


def read_lines(file: str) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a file, or of standard input for `-`; blank lines are passed over. Raises OSError."""
    with sys.stdin.buffer if file == "-" else Path(file).open("rb") as source:
        for number, line in enumerate(source, start=1):
            content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if content.strip():
                yield number, content.rstrip(b"\r\n")


def count_lines(file: str) -> int | None:
    """How many lines there are to read; None where that can't be known beforehand. Raises OSError."""
    if file == "-" or _reads_once(Path(file).stat().st_mode):
        return None
    return sum(1 for _ in read_lines(file))


def _reads_once(mode: int) -> bool:
    # A pipe, a socket or a terminal gives its lines once.
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
