"""Which arms a transcript gets: all by default, or a balanced part of them, and placebos for some transcripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perturbations.records.hashing import fraction
from perturbations.rows import ROWS, Row


@dataclass(frozen=True)
class Design:
    """How much of the full design each transcript gets; everything is drawn by hash of the seed and the transcript.

    `rows_per_transcript` and `arms_per_row` None are all. Rows with the original among their attributes keep all
    arms: the original is there anyway, so its pairs would be the likelier ones. In every other row each set of
    `arms_per_row` attributes, at least 2, is equally likely, so every pair is. `placebo_rate` is the share of
    transcripts, in [0, 1], whose arms are drawn a second time.
    """

    rows_per_transcript: int | None = None
    arms_per_row: int | None = None
    placebo_rate: float = 0.0

    def rows(self, transcript_id: str, rows: Sequence[str], *, seed: int) -> list[str]:
        """The transcript's rows, in the given order."""
        return _drawn(rows, self.rows_per_transcript, "row", seed, transcript_id)

    def attributes(self, transcript_id: str, row: Row, *, seed: int) -> list[str]:
        """The transcript's attributes in a row, in the row's order."""
        if row.original_attribute is not None or self.arms_per_row is None:
            return list(row.attributes)
        # Keyed by dimension: the two strategies of one dimension get the same attributes, so that they differ by the
        # cues alone here as well.
        return _drawn(row.attributes, max(2, self.arms_per_row), f"arm:{row.dimension}", seed, transcript_id)

    def arms(self, transcript_id: str, rows: Sequence[str], *, seed: int) -> list[tuple[Row, str]]:
        """The transcript's arms as (row, attribute), in the order of the rows."""
        chosen = self.rows(transcript_id, rows, seed=seed)
        return [(ROWS[name], a) for name in chosen for a in self.attributes(transcript_id, ROWS[name], seed=seed)]

    def has_placebo(self, transcript_id: str, *, seed: int) -> bool:
        """Whether this transcript's arms are drawn a second time; those of a lower rate are among them."""
        return fraction("placebo", seed, transcript_id) < self.placebo_rate

    def pairs(self, row: Row) -> int:
        """How many pairs of attributes a transcript gets in this row where every arm applies."""
        count = len(row.attributes)
        if row.original_attribute is None and self.arms_per_row is not None:
            count = min(count, max(2, self.arms_per_row))
        return count * (count - 1) // 2


FULL = Design()
"""Every arm of every row, no placebos."""


def _drawn(options: Sequence[str], count: int | None, purpose: str, seed: int, transcript_id: str) -> list[str]:
    if count is None or count >= len(options):
        return list(options)
    places = {option: (fraction(purpose, seed, transcript_id, option), option) for option in options}
    chosen = set(sorted(options, key=places.__getitem__)[:count])
    return [option for option in options if option in chosen]
