"""The work of `benchmarks.linear_time` grows in step with its input, counted in calls: no clock, no luck."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from benchmarks.linear_time import Case, Growth, Work, cases

LINEAR = [case for case in cases() if case.linear]
"""Quadratic work would make four times as many calls on twice the input."""


def calls_of(work: Work) -> int:
    """How many functions it calls and returns from, in Python and in C."""
    events = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal events
        events += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return events


@pytest.mark.parametrize("case", LINEAR, ids=[case.name for case in LINEAR])
def test_twice_the_input_takes_twice_the_calls(case: Case) -> None:
    size = max(40, case.size // 40)
    case.prepare(size // 2)()  # what is read or compiled once
    assert calls_of(case.prepare(2 * size)) < 2.5 * calls_of(case.prepare(size))


def test_quadratic_work_is_told() -> None:
    def quadratic(size: int) -> Work:
        return lambda: [[abs(n) for n in range(size)] for _ in range(size)]

    assert calls_of(quadratic(80)) > 3.5 * calls_of(quadratic(40))


@pytest.mark.parametrize(
    ("half_seconds", "seconds", "limit_seconds", "linear", "quick"),
    [
        (1.0, 2.9, None, True, True),
        (1.0, 3.0, None, True, False),
        (1.0, 3.0, None, False, True),
        (1.0, 2.0, 2.0, True, False),
        (1.0, 4.0, 4.5, False, True),
        (0.001, 0.04, 1.0, True, True),
    ],
)
def test_what_is_too_slow(
    half_seconds: float, seconds: float, limit_seconds: float | None, linear: bool, quick: bool
) -> None:
    case = Case("work", lambda size: lambda: size, 10, limit_seconds, linear)
    assert Growth(case, half_seconds, seconds).is_quick is quick
