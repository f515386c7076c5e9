"""When a figure is given: with enough data, and with a reason where it isn't."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Thresholds:
    """What a figure needs: this many comparisons from this many transcripts.

    Scores of coaching notes are counted by pair, not by comparison: they need the transcripts only. `withheld` is a
    reason to give no figure at all, whatever the counts. `precision` is the half width wanted for a CFR's interval, a
    ratio: how many transcripts that takes is said beside the figure. `margin`: an excess over placebos up to it, a
    ratio, counts as no effect.
    """

    comparisons: int = 50
    transcripts: int = 20
    precision: float = 0.02
    margin: float = 0.02
    withheld: str | None = None

    def shortfall(self, *, comparisons: int | None, transcripts: int) -> str | None:
        """Why a figure over this much can't be given, or None where it can."""
        if self.withheld is not None:
            return self.withheld
        if comparisons is not None and comparisons < self.comparisons:
            return f"too few ({comparisons} of {self.comparisons}) comparisons"
        if transcripts < self.transcripts:
            return f"too few ({transcripts} of {self.transcripts}) transcripts"
        return None

    def by_pair(self) -> Thresholds:
        """The same for a rate that counts pairs, not comparisons: it needs the transcripts only."""
        return replace(self, comparisons=0)


DEFAULT = Thresholds()

LONE_TRANSCRIPT = "an interval needs at least 2 transcripts"
