"""Figures as the cells of a table: ratios in percent, scores in points."""

from __future__ import annotations

from metrics.estimators.interval import Interval


def percent(value: float | None, interval: Interval | None, *, signed: bool = False) -> str:
    """A ratio in percent with its interval, `-` where there is none."""
    if value is None:
        return "-"
    form = "{:+.1f}" if signed else "{:.1f}"
    shown = form.format(100 * value)
    if interval is None:
        return shown
    ends = " to ".join(form.format(100 * end) for end in interval)
    return f"{shown} ({ends})"


def points(value: float | None, *, signed: bool = False) -> str:
    """A score in points, `-` where there is none."""
    return "-" if value is None else format(value, "+.1f" if signed else ".1f")
