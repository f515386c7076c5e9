"""A reduced form of the benchmark: few false alarms, short delays."""

from __future__ import annotations

import pytest

from benchmarks.alarm_rates import false_alarms, silent_delay, swap_delay, two_sample_bound


@pytest.mark.parametrize("kind", ["drift", "silent", "excess"])
def test_streams_without_a_change_rarely_alarm(kind: str) -> None:
    rate = false_alarms(kind, previous=1000, streams=40, length=4000)
    assert rate.alarms / rate.streams <= 0.05


def test_a_rolling_z_test_nearly_always_does() -> None:
    rate = false_alarms("rolling z", previous=1000, streams=40, length=20_000)
    assert rate.alarms / rate.streams > 0.9


@pytest.mark.parametrize(
    ("rate", "previous", "ratio"),
    [(0.12, 10_000, 1.25), (0.18, 10_000, 1.25), (0.12, 2000, 1.5), (0.09, 10_000, 1.7)],
)
def test_delays_after_a_swap_are_near_the_bound(rate: float, previous: int, ratio: float) -> None:
    delay = swap_delay(rate, previous=previous, runs=80, most=4000)
    assert delay <= ratio * two_sample_bound(rate, previous=previous)


def test_a_silent_change_is_found() -> None:
    assert silent_delay(0.12, runs=50, most=2500) <= 3 * 275
