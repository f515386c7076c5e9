"""Pairs into the figures of each row and of the robustness baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scipy.stats import false_discovery_control

from metrics.estimators.interval import effective, transcripts_needed
from metrics.estimators.paired_difference import (
    Clusters,
    difference_p_value,
    mean_difference_interval,
    pooled,
    rate_difference_interval,
    shared,
)
from metrics.figures.agreement import kappa_estimate
from metrics.figures.breakdown import by_attribute, by_pair, by_question, counts_of, masd_of, note, rates_of
from metrics.figures.clusters import SCORES, ScoreName, absolute_differences, flips, other_flips
from metrics.figures.figure_records import Masd, Robustness, RowFigures, Score
from metrics.figures.form_impact import form_impact, marked
from metrics.figures.form_marking import EQUAL, Marking
from metrics.figures.thresholds import DEFAULT, LONE_TRANSCRIPT, Thresholds, rate
from metrics.pairs.pair import Kind, Pair
from perturbations.rows import ROBUSTNESS, ROWS, Row


def rows_figures(
    pairs: Iterable[Pair], *, needed: Thresholds = DEFAULT, marking: Marking = EQUAL
) -> dict[str, RowFigures]:
    """The figures of all 15 rows, in the table's order; p-values are not yet adjusted over them.

    Pairs of all rows and of the repeats in any order; a row without pairs has counts of 0 and reasons.
    """
    held: dict[str, list[Pair]] = {name: [] for name in (*ROWS, ROBUSTNESS)}
    for pair in pairs:
        held[pair.row].append(pair)
    return {
        name: row_figures(row, held[name], held[ROBUSTNESS], needed=needed, marking=marking)
        for name, row in ROWS.items()
    }


def row_figures(
    row: Row,
    pairs: Sequence[Pair],
    repeats: Sequence[Pair] = (),
    *,
    needed: Thresholds = DEFAULT,
    marking: Marking = EQUAL,
) -> RowFigures:
    """The figures of one row from its pairs of every kind and from the pairs of repeats."""
    ordered = sorted(pairs, key=lambda pair: _order(row, pair))
    attribute, original, placebo = (_of_kind(ordered, kind) for kind in ("attribute", "original", "placebo"))
    marks = marked(attribute, marking)
    reasons: dict[str, str] = {}
    counts = counts_of(attribute, needed, reasons)
    without = rate(other_flips(attribute).values(), needed)
    note(reasons, "cfr_without_construct_relevant", without.value, without.reason)
    note(reasons, "cfr_without_construct_relevant_interval", without.interval, without.reason)
    own, base = flips(attribute), flips(repeats)
    excess = _excess(own, base, needed, reasons, "excess")
    sought = _transcripts_needed(own, needed)
    note(reasons, "transcripts_needed", sought, needed.withheld or LONE_TRANSCRIPT)
    over_placebo = _excess(own, flips(placebo), needed, reasons, "excess_placebo")
    p_value = difference_p_value(own, base) if excess is not None else None
    note(reasons, "p_value", p_value, reasons.get("excess", LONE_TRANSCRIPT))
    return RowFigures(
        **counts,
        transcripts_needed=sought,
        cfr_without_construct_relevant=without.value,
        cfr_without_construct_relevant_interval=without.interval,
        excess=excess,
        excess_interval=_excess_interval(excess, own, base, reasons, "excess"),
        p_value=p_value,
        placebo=rates_of(placebo, needed),
        excess_placebo=over_placebo,
        excess_placebo_interval=_excess_interval(over_placebo, own, flips(placebo), reasons, "excess_placebo"),
        masd=_with_excess(masd_of(attribute, needed, reasons), attribute, repeats),
        form=form_impact(marks, needed),
        by_pair=by_pair(attribute, needed),
        by_original=by_pair(original, needed),
        by_question=by_question(attribute, needed),
        by_attribute=by_attribute(row, attribute, marks, needed),
        reasons=reasons,
    )


def robustness_figures(pairs: Iterable[Pair], *, needed: Thresholds = DEFAULT) -> Robustness:
    """The baseline's figures from the pairs of kind `repeat`; others are left aside."""
    repeats = _of_kind(pairs, "repeat")
    reasons: dict[str, str] = {}
    counts = counts_of(repeats, needed, reasons)
    kappa = kappa_estimate(
        ((pair.transcript_id, a, b) for pair in repeats for a, b in zip(pair.answers_a, pair.answers_b, strict=True)),
        needed,
    )
    note(reasons, "kappa", kappa.value, kappa.reason)
    return Robustness(
        **counts,
        kappa=kappa.value,
        kappa_interval=kappa.interval,
        masd=masd_of(repeats, needed, reasons),
        by_question=by_question(repeats, needed),
        reasons=reasons,
    )


def adjusted(rows: Mapping[str, RowFigures]) -> dict[str, RowFigures]:
    """The same figures with `p_adjusted` and `outcomes_p_adjusted`.

    Benjamini-Hochberg over the rows that have the p-value, for each of the two apart.
    """
    excess = benjamini_hochberg({name: figures.p_value for name, figures in rows.items()})
    outcomes = benjamini_hochberg({name: figures.outcomes_p_value for name, figures in rows.items()})
    return {name: _with_adjusted(figures, excess.get(name), outcomes.get(name)) for name, figures in rows.items()}


def benjamini_hochberg(p_values: Mapping[str, float | None]) -> dict[str, float]:
    """Adjusted p-values of those that there are."""
    tested = {name: p for name, p in p_values.items() if p is not None}
    values = false_discovery_control(list(tested.values())) if tested else []
    return dict(zip(tested, (float(value) for value in values), strict=True))


def _with_adjusted(figures: RowFigures, excess: float | None, outcomes: float | None) -> RowFigures:
    reasons = dict(figures.reasons)
    note(reasons, "p_adjusted", excess, reasons.get("p_value"))
    note(reasons, "outcomes_p_adjusted", outcomes, reasons.get("outcomes_p_value"))
    return figures.model_copy(update={"p_adjusted": excess, "outcomes_p_adjusted": outcomes, "reasons": reasons})


def _transcripts_needed(clusters: Clusters, needed: Thresholds) -> int | None:
    sample = effective(clusters.values()) if needed.withheld is None else None
    return None if sample is None else transcripts_needed(sample, needed.precision)


def _of_kind(pairs: Iterable[Pair], kind: Kind) -> list[Pair]:
    return [pair for pair in pairs if pair.kind == kind]


def _order(row: Row, pair: Pair) -> tuple[int, int, str, str]:
    places = {attribute: i for i, attribute in enumerate(row.attributes)}
    return (places.get(pair.arm_a, -1), places.get(pair.arm_b, -1), pair.transcript_id, pair.pair_id)


def _excess(own: Clusters, base: Clusters, needed: Thresholds, reasons: dict[str, str], field: str) -> float | None:
    one, other = shared(own, base)
    count = min(sum(n for _, n in clusters.values()) for clusters in (one, other))
    reason = needed.shortfall(comparisons=count, transcripts=len(one))
    p, q = pooled(one), pooled(other)
    if reason is not None or p is None or q is None:
        note(reasons, field, None, reason or "nothing to compare with")
        return None
    return p - q


def _excess_interval(
    excess: float | None, own: Clusters, base: Clusters, reasons: dict[str, str], field: str
) -> tuple[float, float] | None:
    interval = None if excess is None else rate_difference_interval(own, base)
    note(reasons, f"{field}_interval", interval, reasons.get(field, LONE_TRANSCRIPT))
    return interval


def _with_excess(masd: Masd, pairs: Sequence[Pair], repeats: Sequence[Pair]) -> Masd:
    return Masd(**{score: _score_excess(getattr(masd, score), score, pairs, repeats) for score in SCORES})


def _score_excess(figure: Score, score: ScoreName, pairs: Sequence[Pair], repeats: Sequence[Pair]) -> Score:
    one, other = shared(absolute_differences(pairs, score), absolute_differences(repeats, score))
    p, q = pooled(one), pooled(other)
    if figure.value is None or p is None or q is None:
        return figure
    interval = mean_difference_interval(one, other, scale=100.0)
    return figure.model_copy(update={"excess": p - q, "excess_interval": interval})
