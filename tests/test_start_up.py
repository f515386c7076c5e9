"""The benchmark of start-up: what it runs, and when it fails."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from benchmarks import start_up
from benchmarks.start_up import Start

SECONDS = {"--help": 0.029, "--version": 0.030, "measure": 0.9, "-c": 0.01}


def printed(monkeypatch: pytest.MonkeyPatch, seconds: dict[str, float]) -> tuple[list[str], int]:
    """What it prints, and its exit code, where the commands take so long."""
    lines: list[str] = []

    def cpu_seconds(command: Sequence[str]) -> float:
        return next(value for word, value in seconds.items() if word in command)

    monkeypatch.setattr(start_up, "cpu_seconds", cpu_seconds)
    monkeypatch.setattr(sys, "argv", ["start_up", "--repeats", "2"])
    with pytest.raises(SystemExit) as left:
        start_up.main(lines.append)
    return lines, int(left.value.code or 0)


def test_all_goals_met(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, code = printed(monkeypatch, SECONDS)
    assert code == 0
    assert [line.split()[:2] for line in lines[1:]] == [
        ["evenhand", "--help"],
        ["evenhand", "--version"],
        ["evenhand", "measure"],
    ]
    assert [line.split()[4] for line in lines[1:]] == ["2.90", "3.00", "90.00"]
    assert not any("NOT MET" in line for line in lines)


@pytest.mark.parametrize(("command", "seconds"), [("--help", 0.031), ("--version", 0.031), ("measure", 1.01)])
def test_one_goal_missed_is_said_and_fails(command: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, code = printed(monkeypatch, {**SECONDS, command: seconds})
    assert code == 1
    assert [line.split()[1] for line in lines if line.endswith("NOT MET")] == [command]


def test_a_real_process_takes_time() -> None:
    seconds = start_up.cpu_seconds(start_up.NOTHING)
    assert seconds > 0
    assert Start("python", seconds, seconds, most_times=1.0).is_met
