"""The command line as a user has it: exit code, standard output, standard error."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from streams.__main__ import main

ROOT = Path(__file__).parents[2]

NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    def said(self, *words: str) -> bool:
        """Whether standard error is one sentence (one line, no traceback) that holds all the words."""
        lines = self.err.splitlines()
        return len(lines) == 1 and "Traceback" not in self.err and all(word in lines[0] for word in words)


def run(
    *arguments: str, cwd: Path, stdin: bytes = b"", seconds: float = 60, environment: Mapping[str, str] = NOTHING
) -> Ran:
    """The command in a process of its own; no EVENHAND_ variable but those that are given."""
    process = subprocess.run(
        [sys.executable, "-m", "streams", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=seconds,
        check=False,
        env=clean_environment(environment),
    )
    return Ran(process.returncode, process.stdout.decode("utf-8"), process.stderr.decode("utf-8"))


def run_here(*arguments: str, cwd: Path, stdin: bytes = b"", environment: Mapping[str, str] = NOTHING) -> Ran:
    """The same through the same entry, in this process: quick. Not for commands that set up logging or signals."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        for name in os.environ:
            if name.startswith("EVENHAND_"):
                patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["evenhand", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            main()
    return Ran(int(left.value.code or 0), _written(out), _written(err))


@contextmanager
def running(
    *arguments: str, cwd: Path, environment: Mapping[str, str] = NOTHING, stdout: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[bytes]]:
    """The command as a child that is killed at the end, its outputs as pipes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "streams", *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=clean_environment(environment),
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def clean_environment(more: Mapping[str, str]) -> dict[str, str]:
    """This process's variables without ours, with these, and with the packages of this checkout."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("EVENHAND_")}
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**plain, "PYTHONPATH": path, **more}


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
