"""What can go wrong with a measurement.

MeasureError
    the caller asked for something that the input doesn't have
"""

from __future__ import annotations

from typing import ClassVar


class MeasureError(Exception):
    """A measurement that can't be made; the message is one sentence that says what is allowed."""

    exit_code: ClassVar[int] = 2
