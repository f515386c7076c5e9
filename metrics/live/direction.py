"""Who a row favours over a window, from sums by transcript: what the live page shows beside CFR."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from metrics.estimators.interval import Interval
from metrics.estimators.paired_difference import Clusters, pooled, rate_difference_interval
from metrics.figures.thresholds import Thresholds


@dataclass(frozen=True)
class AttributeSums:
    """An attribute's comparisons with the others of its row in one transcript.

    `gained` are those that are yes under the attribute alone, `lost` those that are yes under the other alone.
    """

    row: str
    model: str
    epoch: str
    attribute: str
    transcript_id: str
    gained: int
    lost: int
    comparisons: int


@dataclass(frozen=True)
class Favoured:
    """The attribute of a row with the largest net advantage, in [-1, 1], with its interval."""

    row: str
    model: str
    epoch: str
    attribute: str
    net_advantage: float
    interval: Interval | None


def favoured(sums: Iterable[AttributeSums], thresholds: Thresholds) -> list[Favoured]:
    """The most favoured attribute of each row, model and epoch, in their order; none where there is too little."""
    held: dict[tuple[str, str, str], dict[str, list[AttributeSums]]] = {}
    for one in sums:
        held.setdefault((one.model, one.epoch, one.row), {}).setdefault(one.attribute, []).append(one)
    found = []
    for (model, epoch, row), attributes in sorted(held.items()):
        told = [
            Favoured(row, model, epoch, attribute, *advantage)
            for attribute, own in sorted(attributes.items())
            if (advantage := _advantage(own, thresholds)) is not None
        ]
        if told:
            found.append(max(told, key=lambda one: one.net_advantage))
    return found


def _advantage(own: Iterable[AttributeSums], thresholds: Thresholds) -> tuple[float, Interval | None] | None:
    counted = [one for one in own if one.comparisons]
    gained: Clusters = {one.transcript_id: (one.gained, one.comparisons) for one in counted}
    lost: Clusters = {one.transcript_id: (one.lost, one.comparisons) for one in counted}
    comparisons = sum(one.comparisons for one in counted)
    plus, minus = pooled(gained), pooled(lost)
    if thresholds.shortfall(comparisons=comparisons, transcripts=len(counted)) or plus is None or minus is None:
        return None
    return plus - minus, rate_difference_interval(gained, lost)
