"""Who a row favours over a window, from sums by transcript: what the live page shows beside CFR."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from metrics.estimators.interval import Interval
from metrics.figures.cluster_sums import NetSums
from metrics.figures.estimates import net_share
from metrics.figures.extremes import extremes
from metrics.figures.thresholds import Thresholds
from perturbations.rows import ROWS


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
    """The most favoured attribute of each row, model and epoch, in their order: that of `measure` for the same pairs.

    None where fewer than two attributes have enough to be told apart.
    """
    groups: dict[tuple[str, str, str], dict[str, list[AttributeSums]]] = {}
    for transcript in sums:
        by_attribute = groups.setdefault((transcript.model, transcript.epoch, transcript.row), {})
        by_attribute.setdefault(transcript.attribute, []).append(transcript)
    return [
        most
        for (model, epoch, row), by_attribute in sorted(groups.items())
        if (most := _most_favoured(row, model, epoch, by_attribute, thresholds)) is not None
    ]


def _most_favoured(
    row: str, model: str, epoch: str, by_attribute: dict[str, list[AttributeSums]], needed: Thresholds
) -> Favoured | None:
    order = {attribute: i for i, attribute in enumerate(ROWS[row].attributes)} if row in ROWS else {}
    known = [
        (attribute, net.value, net.interval)
        for attribute in sorted(by_attribute, key=lambda attribute: order.get(attribute, len(order)))
        if (net := net_share(_net_sums(by_attribute[attribute]), needed)).value is not None
    ]
    most_and_least = extremes(known, lambda advantage: advantage[1])
    return None if most_and_least is None else Favoured(row, model, epoch, *most_and_least[0])


def _net_sums(transcripts: Iterable[AttributeSums]) -> NetSums:
    by_id = {transcript.transcript_id: transcript for transcript in transcripts}
    return NetSums(
        gained={key: (transcript.gained, transcript.comparisons) for key, transcript in by_id.items()},
        lost={key: (transcript.lost, transcript.comparisons) for key, transcript in by_id.items()},
    )
