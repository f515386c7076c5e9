"""How long `evenhand` takes to begin: help and version against Python itself, and measuring ten evaluations.

    python -m benchmarks.start_up [--repeats 10]

`--help` and `--version` are meant to take at most 3 times as long as `python -c pass`, and `evenhand measure` of ten
lines at most 1.0 s. All are CPU seconds, user and system, of a process from its start to its end, the least of the
repeats; Python's own is taken beside each. Exit code 1 where a goal isn't met.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

MOST_TIMES = 3.0
"""How many times as long as Python itself help and version may take."""

MOST_SECONDS = 1.0
"""How long measuring ten lines may take."""

LINE = (
    '{{"transcript_id": "c-{n}", "row": "agent_gender", "attribute": "{attribute}", "outcome": "ok", '
    '"answers": [{{"question_id": "greeting", "answer": "yes", "confidence": 90}}]}}\n'
)
NOTHING = [sys.executable, "-c", "pass"]


@dataclass(frozen=True)
class Start:
    """What a command takes beside what Python alone takes, and its limit in the one or the other."""

    name: str
    seconds: float
    python_seconds: float
    most_times: float | None = None
    most_seconds: float | None = None

    @property
    def times(self) -> float:
        """How many times as long as Python alone."""
        return self.seconds / self.python_seconds

    @property
    def is_met(self) -> bool:
        """Whether it stays within its limit."""
        return (self.most_times is None or self.times <= self.most_times) and (
            self.most_seconds is None or self.seconds <= self.most_seconds
        )

    @property
    def line(self) -> str:
        """For people."""
        goal = f"{self.most_times:g} times" if self.most_times is not None else f"{self.most_seconds:g} s"
        mark = "" if self.is_met else "  NOT MET"
        return f"{self.name:34} {self.seconds:8.3f} {self.python_seconds:8.3f} {self.times:8.2f}   {goal}{mark}"


def starts(directory: Path, repeats: int) -> list[Start]:
    """Everything that is measured; the evaluations are written into `directory`."""
    file = directory / "ten.jsonl"
    arms = [(n, attribute) for n in range(5) for attribute in ("female", "male")]
    file.write_text("".join(LINE.format(n=n, attribute=attribute) for n, attribute in arms), encoding="utf-8")
    measured = []
    for arguments, times, seconds in (
        (["--help"], MOST_TIMES, None),
        (["--version"], MOST_TIMES, None),
        (["measure", str(file)], None, MOST_SECONDS),
    ):
        own, python = side_by_side(_evenhand(arguments), NOTHING, repeats)
        measured.append(Start(f"evenhand {arguments[0]}", own, python, times, seconds))
    return measured


def side_by_side(command: Sequence[str], other: Sequence[str], repeats: int) -> tuple[float, float]:
    """The least CPU seconds of each, run in turn, so that both have the same of a busy machine.

    The first runs don't count: they write the bytecode that the next ones read.
    """
    cpu_seconds(command), cpu_seconds(other)
    runs = [(cpu_seconds(command), cpu_seconds(other)) for _ in range(repeats)]
    return min(first for first, _ in runs), min(second for _, second in runs)


def cpu_seconds(command: Sequence[str]) -> float:
    """User and system time of one process. Raises CalledProcessError where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Written bytecode is what an installed evenhand has.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _evenhand(arguments: Sequence[str]) -> list[str]:
    # The console script as users have it, beside the Python that it runs on.
    return [sys.executable, str(Path(sys.executable).with_name("evenhand")), *arguments]


def main(say: Callable[[str], None] = print) -> None:
    """Print one line for each start, and fail where a goal isn't met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()
    say(f"{'command':34} {'CPU s':>8} {'python s':>8} {'times':>8}   goal")
    with TemporaryDirectory() as directory:
        measured = starts(Path(directory), options.repeats)
    for start in measured:
        say(start.line)
    raise SystemExit(0 if all(start.is_met for start in measured) else 1)


if __name__ == "__main__":
    main()
