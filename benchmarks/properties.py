"""Every property of the tests on twenty times as many examples as a run of all tests draws.

    python -m benchmarks.properties [TESTS ...]

TESTS are files or folders, all by default. One line for each property: its seconds, and whether it held. Exit code 1
where one didn't; pytest prints the example.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


class Outcomes:
    """What became of each property, and how long it took."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called by pytest."""
        if report.when == "call":
            self.lines.append(f"{report.duration:8.1f} s  {report.outcome:8} {report.nodeid}")


def main(say: Callable[[str], None] = print) -> None:
    """Run them and print the lines, the slowest first."""
    outcomes = Outcomes()
    chosen = sys.argv[1:] or [str(ROOT / "tests")]
    code = pytest.main(
        ["-q", "-m", "hypothesis", "--hypothesis-profile=long", "--timeout=1800", "--rootdir", str(ROOT), *chosen],
        plugins=[outcomes],
    )
    for line in sorted(outcomes.lines, reverse=True):
        say(line)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
