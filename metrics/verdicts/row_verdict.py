"""The verdict of a row in one word: what the judge reacts to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from metrics.estimators.interval import CONFIDENCE, Interval
from metrics.estimators.multiplicity import benjamini_hochberg

Verdict = Literal["attribute", "rewording", "none", "unknown"]
"""`attribute`: the judge reacts to the row's attribute, more than to another wording of the same. `rewording`: it
reacts to any change of this kind. `none`: no effect found, and one beyond the margin is ruled out. `unknown`: the
data can't tell yet."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

IN_WORDS: Mapping[Verdict, str] = {
    "attribute": "reacts to the attribute",
    "rewording": "reacts to any change",
    "none": "no effect found",
    "unknown": "can't tell yet",
}

ALPHA = 1 - CONFIDENCE
"""Adjusted two-sided p-values up to this count. Only an excess above 0 makes a verdict, so that half of it, 0.025, is
the chance of a false `attribute` anywhere among the rows of a judge without any bias."""

NO_PLACEBOS = "no placebos"

_ADJUSTED_WIDTH = 1.5
"""How much wider an interval is at the level that the first of 15 rows must pass (normal quantiles 2.94 and 1.96)."""


@dataclass(frozen=True)
class Excess:
    """A row's CFR above a baseline's, in [-1, 1], with the two-sided p of no excess.

    Where there is none, `reason` says why. `transcripts` is how many there are with the baseline.
    """

    value: float | None
    interval: Interval | None
    p_value: float | None
    transcripts: int
    reason: str | None = None

    def is_above(self, p_adjusted: float | None) -> bool:
        """Whether there is an excess beyond chance, by the p that is adjusted over the rows."""
        return self.value is not None and p_adjusted is not None and self.value > 0 and p_adjusted <= ALPHA


@dataclass(frozen=True)
class Evidence:
    """What a row's verdict is made of."""

    over_repeats: Excess
    over_placebos: Excess


@dataclass(frozen=True)
class RowVerdict:
    """The verdict of a row; for `unknown` with the reason and about how many more transcripts with placebos it takes.

    `missing` is None where there is a verdict, or nothing to tell it from. Both excesses' p-values are adjusted.
    """

    verdict: Verdict
    reason: str | None = None
    missing: int | None = None
    p_over_repeats: float | None = None
    p_over_placebos: float | None = None

    @property
    def in_words(self) -> str:
        """The verdict as its reader says it."""
        return IN_WORDS[self.verdict]


def row_verdicts(rows: Mapping[str, Evidence], *, margin: float, least: int) -> dict[str, RowVerdict]:
    """The verdict of each of these rows, whose p-values are adjusted over all of them (Benjamini-Hochberg).

    `attribute` where the excess over placebos is above 0 beyond chance; so it takes placebos. Else, where the whole
    interval of that excess lies below `margin` (a ratio in (0, 1)): `rewording` where the excess over repeats is
    above 0 beyond chance, `none` where it isn't and the interval lies above -margin too (two one-sided tests:
    Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). Otherwise `unknown`. `least`: under so
    many transcripts there is no figure at all.
    """
    repeats = benjamini_hochberg({name: evidence.over_repeats.p_value for name, evidence in rows.items()})
    placebos = benjamini_hochberg({name: evidence.over_placebos.p_value for name, evidence in rows.items()})
    return {
        name: _verdict(evidence, repeats.get(name), placebos.get(name), margin, least)
        for name, evidence in rows.items()
    }


def _verdict(
    evidence: Evidence, p_repeats: float | None, p_placebos: float | None, margin: float, least: int
) -> RowVerdict:
    repeats, placebos = evidence.over_repeats, evidence.over_placebos

    def given(verdict: Verdict, reason: str | None = None, missing: int | None = None) -> RowVerdict:
        return RowVerdict(verdict, reason, missing, p_repeats, p_placebos)

    if placebos.is_above(p_placebos):
        return given("attribute")
    if placebos.value is None or placebos.interval is None:
        count = placebos.transcripts
        return given("unknown", placebos.reason if count else NO_PLACEBOS, max(least - count, 0) or None)
    lower, upper = placebos.interval
    if upper <= margin:
        if repeats.value is None:
            return given("unknown", repeats.reason)
        if repeats.is_above(p_repeats):
            return given("rewording")
        if lower >= -margin:
            return given("none")
    if placebos.value <= -margin:
        return given("unknown", "placebos turn more answers than the row does")
    missing = _missing(placebos.value, (upper - lower) / 2, placebos.transcripts, margin)
    return given("unknown", f"about {missing:,} more transcripts with placebos", missing)


def _missing(excess: float, half_width: float, transcripts: int, margin: float) -> int:
    # The half width falls with the root of the number of transcripts, until it is narrow enough to rule the margin
    # out or to tell the excess from 0 after adjustment, whichever comes first.
    wanted = max(margin - abs(excess), excess / _ADJUSTED_WIDTH)
    return max(1, math.ceil(transcripts * ((half_width / wanted) ** 2 - 1)))
