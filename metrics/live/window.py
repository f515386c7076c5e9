"""The figures of one row and model over a window, from sums by transcript: what dashboards and the live page show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from metrics.estimators.interval import Interval
from metrics.figures.cluster_sums import PairSums
from metrics.figures.clusters import SCORES, ScoreName
from metrics.figures.estimates import NOT_ASKED, cfr, excess_cfr, give_reasons, masds
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
    """A row's figures for one model and its current epoch: those that `measure` gives for the same pairs.

    `cfr` and `excess` (row minus robustness, over the transcripts that have both, with a paired interval) are ratios
    in [-1, 1], `masd` in points; the counts are always given. A figure that can't be given is None, and `reasons`
    says why under the name that it has in a measurement.
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
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def reason(self) -> str | None:
        """Why there is no CFR, where there is none."""
        return self.reasons.get("cfr")


def window_figures(sums: Iterable[TranscriptSums], thresholds: Thresholds) -> list[WindowFigures]:
    """One record for each row, model and epoch that has any sums, ordered by model, epoch and row."""
    groups: dict[tuple[str, str, str], list[TranscriptSums]] = {}
    for transcript in sums:
        groups.setdefault((transcript.model, transcript.epoch, transcript.row), []).append(transcript)
    return [
        _figures(
            row, model, epoch, _pair_sums(own), _pair_sums(groups.get((model, epoch, ROBUSTNESS), [])), thresholds
        )
        for (model, epoch, row), own in sorted(groups.items())
    ]


def _pair_sums(transcripts: Iterable[TranscriptSums]) -> PairSums:
    by_id = {transcript.transcript_id: transcript for transcript in transcripts}
    return PairSums(
        flips={key: (transcript.flips, transcript.comparisons) for key, transcript in by_id.items()},
        differences={score: {key: transcript.scores[score] for key, transcript in by_id.items()} for score in SCORES},
    )


def _figures(
    row: str, model: str, epoch: str, sums: PairSums, repeats: PairSums, needed: Thresholds
) -> WindowFigures:
    flip_rate, scores = cfr(sums, needed), masds(sums, needed)
    # The baseline has no excess over itself, and nothing is missing where it has none.
    excess = NOT_ASKED if row == ROBUSTNESS else excess_cfr(sums, repeats, needed)
    return WindowFigures(
        row,
        model,
        epoch,
        comparisons=sums.comparisons,
        transcripts=sums.transcripts,
        cfr=flip_rate.value,
        cfr_interval=flip_rate.interval,
        excess=excess.value,
        excess_interval=excess.interval,
        masd={score: estimate.value for score, estimate in scores.items()},
        reasons=give_reasons(
            {
                "cfr": flip_rate.given,
                "cfr_interval": flip_rate.given_interval,
                "excess": excess.given,
                "excess_interval": excess.given_interval,
                **{f"masd.{score}": estimate.given for score, estimate in scores.items()},
            }
        ),
    )
