"""The figures of one row and model over a window, from sums by transcript: what dashboards and the live page show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from metrics.estimators.interval import Interval, rate_interval
from metrics.estimators.paired_difference import Clusters, pooled, rate_difference_interval, shared
from metrics.figures.clusters import SCORES, ScoreName
from metrics.figures.thresholds import Thresholds
from perturbations.rows import ROBUSTNESS


@dataclass(frozen=True)
class TranscriptSums:
    """What one transcript adds to a row: sums over its pairs of attributes (or, for robustness, its repeats)."""

    row: str
    model: str
    epoch: str
    transcript_id: str
    flips: int
    comparisons: int
    scores: Mapping[ScoreName, tuple[float, int]]


@dataclass(frozen=True)
class WindowFigures:
    """A row's figures for one model and its current epoch. None where there are too few comparisons or transcripts.

    `cfr` and `excess` (row minus robustness, over the transcripts that have both, with a paired interval) are ratios
    in [-1, 1], `masd` in points; the counts are always given.
    """

    row: str
    model: str
    epoch: str
    comparisons: int
    transcripts: int
    cfr: float | None = None
    cfr_interval: Interval | None = None
    excess: float | None = None
    excess_interval: Interval | None = None
    masd: Mapping[ScoreName, float | None] = field(default_factory=dict)
    reason: str | None = None


def window_figures(sums: Iterable[TranscriptSums], thresholds: Thresholds) -> list[WindowFigures]:
    """One record for each row, model and epoch that has any sums, ordered by model, epoch and row."""
    groups: dict[tuple[str, str, str], list[TranscriptSums]] = {}
    for one in sums:
        groups.setdefault((one.model, one.epoch, one.row), []).append(one)
    figures = []
    for (model, epoch, row), held in sorted(groups.items()):
        baseline = _flips(groups.get((model, epoch, ROBUSTNESS), []))
        figures.append(_figures(row, model, epoch, held, baseline, thresholds))
    return figures


def _figures(
    row: str, model: str, epoch: str, held: list[TranscriptSums], baseline: Clusters, thresholds: Thresholds
) -> WindowFigures:
    clusters = _flips(held)
    comparisons = sum(n for _, n in clusters.values())
    reason = thresholds.shortfall(comparisons=comparisons, transcripts=len(clusters))
    if reason is not None:
        return WindowFigures(row, model, epoch, comparisons, len(clusters), reason=reason)
    excess = None if row == ROBUSTNESS else _excess(clusters, baseline, thresholds)
    return WindowFigures(
        row,
        model,
        epoch,
        comparisons,
        len(clusters),
        cfr=pooled(clusters),
        cfr_interval=rate_interval(clusters.values()),
        excess=excess,
        excess_interval=None if excess is None else rate_difference_interval(clusters, baseline),
        masd={score: _masd(held, score, thresholds) for score in SCORES},
    )


def _flips(held: Iterable[TranscriptSums]) -> Clusters:
    return {one.transcript_id: (float(one.flips), one.comparisons) for one in held if one.comparisons}


def _masd(held: Iterable[TranscriptSums], score: ScoreName, thresholds: Thresholds) -> float | None:
    clusters = {one.transcript_id: one.scores[score] for one in held if one.scores[score][1]}
    if thresholds.shortfall(comparisons=None, transcripts=len(clusters)) is not None:
        return None
    return pooled(clusters)


def _excess(clusters: Clusters, baseline: Clusters, thresholds: Thresholds) -> float | None:
    one, other = shared(clusters, baseline)
    if thresholds.shortfall(comparisons=None, transcripts=len(one)) is not None:
        return None
    here, there = pooled(one), pooled(other)
    return None if here is None or there is None else here - there
