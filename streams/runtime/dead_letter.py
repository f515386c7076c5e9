"""Records that can't be handled: what is written about them, and when there are too many."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from perturbations.records.errors import RecordError
from streams.kafka.topics import DEAD_LETTERS
from streams.runtime.stage import Incoming, Outgoing


def dead_letter(incoming: Incoming, stage: str, error: RecordError) -> Outgoing:
    """The original key and bytes; headers say topic, partition, offset, stage, reason and detail."""
    headers = {
        "topic": incoming.topic,
        "partition": str(incoming.partition),
        "offset": str(incoming.offset),
        "stage": stage,
        "reason": error.reason,
        "detail": error.detail,
    }
    return Outgoing(
        DEAD_LETTERS, incoming.key, incoming.value, {name: text.encode("utf-8") for name, text in headers.items()}
    )


class TooManyDeadLetters(Exception):
    """A worker that would send everything to the dead letters stops instead, with the reason."""


@dataclass
class DeadLetterLimit:
    """Stops a stage once `consecutive` records in a row, or more than `share` of the last `window`, were bad."""

    stage: str
    share: float
    window: int
    consecutive: int
    _recent: deque[bool] = field(default_factory=deque)
    _bad: int = 0
    _in_a_row: int = 0

    def good(self) -> None:
        """One record was handled."""
        self._in_a_row = 0
        self._push(bad=False)

    def bad(self, reason: str) -> None:
        """One record went to the dead letters. Raises TooManyDeadLetters past a limit."""
        self._in_a_row += 1
        self._push(bad=True)
        if self._in_a_row >= self.consecutive:
            raise TooManyDeadLetters(
                f"stage {self.stage}: {self._in_a_row} records in a row went to the dead letters (last reason: "
                f"{reason}); look at the dead-letter topic's headers, or raise worker.dead_letter_consecutive"
            )
        if len(self._recent) == self.window and self._bad > self.share * self.window:
            raise TooManyDeadLetters(
                f"stage {self.stage}: {self._bad} of the last {self.window} records went to the dead letters (last "
                f"reason: {reason}); look at the dead-letter topic's headers, or raise worker.dead_letter_share"
            )

    def _push(self, *, bad: bool) -> None:
        self._recent.append(bad)
        self._bad += bad
        if len(self._recent) > self.window:
            self._bad -= self._recent.popleft()
