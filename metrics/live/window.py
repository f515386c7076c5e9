"""The figures of one row and model over a window, from sums by transcript: what dashboards and the live page show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from metrics.estimators.interval import Interval
from metrics.figures.cluster_sums import PairSums
from metrics.figures.clusters import SCORES, ScoreName
from metrics.figures.estimates import NOT_ASKED, Estimate, cfr, excess_cfr, excess_p_value, give_reasons, masds
from metrics.figures.thresholds import Thresholds
from metrics.pairs.pair import PairKind
from metrics.verdicts.row_verdict import Evidence, Excess, RowVerdict, row_verdicts
from perturbations.rows import ROBUSTNESS


@dataclass(frozen=True)
class TranscriptSums:
    """What one transcript adds to a row: sums over its pairs of one kind.

    The kinds are `attribute` and `placebo`, and `repeat` for robustness. `like_flips` and `like_comparisons` are over
    those pairs alone that a placebo is like: `perturbations.rows.Row.is_like_placebos`.
    """

    row: str
    model: str
    epoch: str
    kind: PairKind
    transcript_id: str
    flips: int
    comparisons: int
    like_flips: int
    like_comparisons: int
    scores: Mapping[ScoreName, tuple[float, int]]


@dataclass(frozen=True)
class WindowFigures:
    """A row's figures for one model and its current epoch: those that `measure` gives for the same pairs.

    `cfr`, `excess` (row minus robustness) and `excess_placebo` (row minus placebos), each over the transcripts that
    have both, with a paired interval, are ratios in [-1, 1], `masd` in points; the counts are always given. A figure
    that can't be given is None, and `reasons` says why under the name that it has in a measurement. Robustness has no
    verdict.
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
    excess_placebo: float | None = None
    excess_placebo_interval: Interval | None = None
    masd: Mapping[ScoreName, float | None] = field(default_factory=dict)
    verdict: RowVerdict | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def reason(self) -> str | None:
        """Why there is no CFR, where there is none."""
        return self.reasons.get("cfr")


def window_figures(sums: Iterable[TranscriptSums], thresholds: Thresholds) -> list[WindowFigures]:
    """One record for each row, model and epoch with any pairs of attributes or repeats, ordered by model, epoch, row.

    Verdicts are adjusted over the rows of one model and epoch.
    """
    systems: dict[tuple[str, str], dict[str, dict[PairKind, list[TranscriptSums]]]] = {}
    for transcript in sums:
        rows = systems.setdefault((transcript.model, transcript.epoch), {})
        rows.setdefault(transcript.row, {}).setdefault(transcript.kind, []).append(transcript)
    return [
        figures
        for (model, epoch), rows in sorted(systems.items())
        for figures in _system_figures(model, epoch, rows, thresholds)
    ]


def _system_figures(
    model: str, epoch: str, rows: Mapping[str, Mapping[PairKind, list[TranscriptSums]]], needed: Thresholds
) -> list[WindowFigures]:
    repeats = _pair_sums(rows.get(ROBUSTNESS, {}).get("repeat", []))
    made: list[WindowFigures] = []
    evidence: dict[str, Evidence] = {}
    for row in sorted(rows):
        if row == ROBUSTNESS:
            made.append(_figures(row, model, epoch, repeats, NOT_ASKED, NOT_ASKED, needed))
        elif "attribute" in rows[row]:
            own, like = _pair_sums(rows[row]["attribute"]), _like_placebos(rows[row]["attribute"])
            placebos = _pair_sums(rows[row].get("placebo", []))
            over_repeats, over_placebos = excess_cfr(own, repeats, needed), excess_cfr(like, placebos, needed)
            made.append(_figures(row, model, epoch, own, over_repeats, over_placebos, needed))
            evidence[row] = Evidence(
                _excess(over_repeats, own, repeats, own.transcripts),
                _excess(over_placebos, like, placebos, placebos.transcripts),
            )
    verdicts = row_verdicts(evidence, margin=needed.margin, least=needed.transcripts)
    return [replace(figures, verdict=verdicts.get(figures.row)) for figures in made]


def _pair_sums(transcripts: Iterable[TranscriptSums]) -> PairSums:
    by_id = {transcript.transcript_id: transcript for transcript in transcripts}
    return PairSums(
        flips={key: (transcript.flips, transcript.comparisons) for key, transcript in by_id.items()},
        differences={score: {key: transcript.scores[score] for key, transcript in by_id.items()} for score in SCORES},
    )


def _like_placebos(transcripts: Iterable[TranscriptSums]) -> PairSums:
    return PairSums(
        flips={sums.transcript_id: (sums.like_flips, sums.like_comparisons) for sums in transcripts}, differences={}
    )


def _excess(estimate: Estimate, sums: PairSums, baseline: PairSums, transcripts: int) -> Excess:
    p_value = excess_p_value(estimate, sums, baseline)
    return Excess(estimate.value, estimate.interval, p_value, transcripts, estimate.reason)


def _figures(
    row: str,
    model: str,
    epoch: str,
    sums: PairSums,
    over_repeats: Estimate,
    over_placebos: Estimate,
    needed: Thresholds,
) -> WindowFigures:
    flip_rate, scores = cfr(sums, needed), masds(sums, needed)
    return WindowFigures(
        row,
        model,
        epoch,
        comparisons=sums.comparisons,
        transcripts=sums.transcripts,
        cfr=flip_rate.value,
        cfr_interval=flip_rate.interval,
        excess=over_repeats.value,
        excess_interval=over_repeats.interval,
        excess_placebo=over_placebos.value,
        excess_placebo_interval=over_placebos.interval,
        masd={score: estimate.value for score, estimate in scores.items()},
        reasons=give_reasons(
            {
                "cfr": flip_rate.given,
                "cfr_interval": flip_rate.given_interval,
                "excess": over_repeats.given,
                "excess_interval": over_repeats.given_interval,
                "excess_placebo": over_placebos.given,
                "excess_placebo_interval": over_placebos.given_interval,
                **{f"masd.{score}": estimate.given for score, estimate in scores.items()},
            }
        ),
    )
