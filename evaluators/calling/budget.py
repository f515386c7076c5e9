"""Calls and money per day: what would pass the budget isn't asked, and is counted as skipped."""

from __future__ import annotations

from datetime import UTC, date, datetime


class DailyBudget:
    """Calls and dollars of one day (UTC) of one process; None is no limit.

    Money is known only after a call, so the calls under way may pass the limit by what they cost.
    """

    def __init__(self, *, calls_per_day: int | None = None, dollars_per_day: float | None = None) -> None:
        self._calls_per_day = calls_per_day
        self._dollars_per_day = dollars_per_day
        self._day: date | None = None
        self._calls = 0
        self._dollars = 0.0

    def take(self, now: datetime, calls: int = 1) -> bool:
        """Whether so many more calls fit into the day; they are counted where they do. `now` has a zone."""
        day = now.astimezone(UTC).date()
        if day != self._day:
            self._day, self._calls, self._dollars = day, 0, 0.0
        if self._calls_per_day is not None and self._calls + calls > self._calls_per_day:
            return False
        if self._dollars_per_day is not None and self._dollars >= self._dollars_per_day:
            return False
        self._calls += calls
        return True

    def spend(self, dollars: float | None) -> None:
        """Counts what an evaluation cost; None is unknown and can't be counted."""
        self._dollars += dollars or 0.0
