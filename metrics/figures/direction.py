"""Who a row favours: the most and least favoured attribute, and whether any is favoured beyond chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from metrics.estimators.interval import CONFIDENCE, Interval
from metrics.estimators.paired_difference import Clusters, rate_difference_interval
from metrics.estimators.permutation import exchangeability_p_value
from metrics.figures.cluster_sums import NetSums
from metrics.figures.estimates import give_reasons, net_share
from metrics.figures.thresholds import Thresholds
from perturbations.records.reading import OWN
from perturbations.rows import Row

BEYOND = (1 - CONFIDENCE) / 2
"""Adjusted p-values up to this are beyond chance. The other half of the chance of a false mark is the verdicts'."""


Attribute = TypeVar("Attribute")


class Direction(BaseModel):
    """The row's most and least favoured attribute, with their net advantage in [-1, 1].

    The intervals hold for all attributes of the row at once, at 95 %. `p_value` tests that no attribute is favoured
    or disfavoured; `p_adjusted` is it after Holm over the rows. `beyond_chance`: p_adjusted is at most 0.025, and the
    interval of one of the two doesn't hold 0.
    """

    model_config = OWN

    most: str | None = None
    most_advantage: float | None = None
    most_interval: Interval | None = None
    least: str | None = None
    least_advantage: float | None = None
    least_interval: Interval | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    beyond_chance: bool = False
    reasons: dict[str, str] = Field(default_factory=dict)

    def with_adjusted(self, p_adjusted: float | None) -> Direction:
        """The same with the adjusted p-value, which takes the p-values of all rows."""
        intervals = (self.most_interval, self.least_interval)
        told = any(interval is not None and not interval[0] <= 0 <= interval[1] for interval in intervals)
        beyond = p_adjusted is not None and p_adjusted <= BEYOND and told
        reasons = self.reasons | give_reasons({"p_adjusted": (p_adjusted, self.reasons.get("p_value"))})
        return self.model_copy(update={"p_adjusted": p_adjusted, "beyond_chance": beyond, "reasons": reasons})


def extremes(
    attributes: Iterable[Attribute], advantage: Callable[[Attribute], float | None]
) -> tuple[Attribute, Attribute] | None:
    """The most and the least favoured of a row's attributes, in the row's order; None where fewer than two are known.

    Of equal ones the last is the most favoured and the first the least.
    """
    known = [(value, attribute) for attribute in attributes if (value := advantage(attribute)) is not None]
    if len(known) < 2:
        return None
    ordered = sorted(known, key=lambda pair: pair[0])
    return ordered[-1][1], ordered[0][1]


def direction(row: Row, nets: Mapping[str, NetSums], placebo: NetSums, needed: Thresholds) -> Direction:
    """Who the row favours, from what each attribute gains and loses against the others, by transcript.

    `placebo`: what the placebo of the original gains and loses against the original, in a row whose attributes
    include the original. There any rewording may move answers one way, as a judge does that turns some answers at
    random, which are mostly yes: the placebo takes the original's place in the test, so that all arms are reworded.
    """
    order = [attribute for attribute in row.attributes if attribute in nets]
    shares = {attribute: net_share(nets[attribute], needed) for attribute in order}
    ends = extremes(order, lambda attribute: shares[attribute].value)
    if ends is None:
        reason = next((share.reason for share in shares.values() if share.reason), "nothing to count")
        return Direction(reasons={"most": reason, "least": reason, "p_value": reason})
    most, least = ends
    p_value, why = _p_value(row, order, nets, placebo, needed)
    confidence = 1 - (1 - CONFIDENCE) / len(order)
    return Direction(
        most=most,
        most_advantage=shares[most].value,
        most_interval=_interval(nets[most], confidence),
        least=least,
        least_advantage=shares[least].value,
        least_interval=_interval(nets[least], confidence),
        p_value=p_value,
        reasons=give_reasons({"p_value": (p_value, why)}),
    )


def _interval(sums: NetSums, confidence: float) -> Interval | None:
    return rate_difference_interval(sums.gained, sums.lost, confidence=confidence)


def _p_value(
    row: Row, order: list[str], nets: Mapping[str, NetSums], placebo: NetSums, needed: Thresholds
) -> tuple[float | None, str | None]:
    transcripts = sorted({key for sums in nets.values() for key, (_, n) in sums.gained.items() if n > 0})
    original = row.original_attribute
    if original is not None:
        transcripts = [key for key in transcripts if _count(placebo.gained, key) > 0]
        if len(transcripts) < needed.transcripts:
            short = f"too few ({len(transcripts)} of {needed.transcripts}) transcripts with placebos"
            return None, short if transcripts else "no placebos"
    if not transcripts:
        return None, "nothing to count"
    gains = np.array([[_net(nets[attribute], key) for attribute in order] for key in transcripts])
    counts = np.array([[float(_count(nets[attribute].gained, key)) for attribute in order] for key in transcripts])
    if original in order:
        moved = np.array([_net(placebo, key) for key in transcripts])
        gains = _in_place_of(order.index(original), gains, counts, moved)
    return exchangeability_p_value(gains, counts), "nothing to count"


def _in_place_of(
    place: int, gains: NDArray[np.float64], counts: NDArray[np.float64], moved: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Gains as they would be with an arm in the original's place that has `moved` more answers of yes."""
    present = counts > 0
    others = present.sum(axis=1) - 1
    replaced = gains - np.where(present, moved[:, None], 0.0)
    replaced[:, place] = gains[:, place] + others * moved
    result: NDArray[np.float64] = replaced
    return result


def _net(sums: NetSums, key: str) -> float:
    return sums.gained[key][0] - sums.lost[key][0] if key in sums.gained else 0.0


def _count(clusters: Clusters, key: str) -> int:
    return clusters.get(key, (0.0, 0))[1]
