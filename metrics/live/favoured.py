"""Who a row favours over a window, from sums by transcript: what the live page shows beside the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from metrics.estimators.multiplicity import holm
from metrics.figures.cluster_sums import NetSums
from metrics.figures.direction import Direction, direction
from metrics.figures.estimates import net_share
from metrics.figures.thresholds import Thresholds
from perturbations.rows import ROWS


@dataclass(frozen=True)
class AttributeSums:
    """An attribute's comparisons in one transcript: with the others of its row, or its placebo's with itself.

    `gained` are those that are yes under the attribute (the placebo) alone, `lost` those that are yes under the other
    alone.
    """

    row: str
    model: str
    epoch: str
    kind: Literal["attribute", "placebo"]
    attribute: str
    transcript_id: str
    gained: int
    lost: int
    comparisons: int


@dataclass(frozen=True)
class Favoured:
    """Who a row favours under a model's epoch: its direction, and each attribute's net advantage in [-1, 1].

    An attribute without enough comparisons isn't among the advantages.
    """

    row: str
    model: str
    epoch: str
    direction: Direction
    advantages: Mapping[str, float]


def favoured(sums: Iterable[AttributeSums], thresholds: Thresholds) -> list[Favoured]:
    """Who each row, model and epoch favours, in the order of model, epoch, row: as `measure` has it for these pairs.

    Nobody where fewer than two attributes have enough to be told apart. p-values are adjusted over the rows of one
    model and epoch.
    """
    systems: dict[tuple[str, str], dict[str, list[AttributeSums]]] = {}
    for transcript in sums:
        if transcript.row in ROWS:
            rows = systems.setdefault((transcript.model, transcript.epoch), {})
            rows.setdefault(transcript.row, []).append(transcript)
    return [
        favoured_by_row
        for (model, epoch), rows in sorted(systems.items())
        for favoured_by_row in _of_system(model, epoch, rows, thresholds)
    ]


def _of_system(model: str, epoch: str, rows: Mapping[str, list[AttributeSums]], needed: Thresholds) -> list[Favoured]:
    nets = {row: _nets(rows[row], "attribute") for row in sorted(rows)}
    directions = {
        row: direction(ROWS[row], own, _placebo_of_original(row, rows[row]), needed) for row, own in nets.items()
    }
    adjusted = holm({row: known.p_value for row, known in directions.items()})
    return [
        Favoured(row, model, epoch, known.with_adjusted(adjusted.get(row)), _advantages(nets[row], needed))
        for row, known in directions.items()
        if known.most is not None
    ]


def _placebo_of_original(row: str, transcripts: Iterable[AttributeSums]) -> NetSums:
    none = NetSums(gained={}, lost={})
    return _nets(transcripts, "placebo").get(ROWS[row].original_attribute or "", none)


def _advantages(nets: Mapping[str, NetSums], needed: Thresholds) -> dict[str, float]:
    shares = {attribute: net_share(sums, needed).value for attribute, sums in nets.items()}
    return {attribute: share for attribute, share in shares.items() if share is not None}


def _nets(transcripts: Iterable[AttributeSums], kind: str) -> dict[str, NetSums]:
    by_attribute: dict[str, dict[str, AttributeSums]] = {}
    for transcript in transcripts:
        if transcript.kind == kind:
            by_attribute.setdefault(transcript.attribute, {})[transcript.transcript_id] = transcript
    return {
        attribute: NetSums(
            gained={key: (transcript.gained, transcript.comparisons) for key, transcript in by_id.items()},
            lost={key: (transcript.lost, transcript.comparisons) for key, transcript in by_id.items()},
        )
        for attribute, by_id in by_attribute.items()
    }
