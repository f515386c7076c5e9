"""Pairs into the figures of each row and of the robustness baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metrics.estimators.interval import effective, transcripts_needed
from metrics.estimators.multiplicity import benjamini_hochberg, holm
from metrics.estimators.paired_difference import Clusters
from metrics.figures.agreement import kappa_estimate
from metrics.figures.arm_outcomes import NO_ARMS, RowArms
from metrics.figures.breakdown import (
    by_attribute,
    by_pair,
    by_question,
    cfr_fields,
    flip_fields,
    flip_figures,
    masd_fields,
    masd_figures,
)
from metrics.figures.cluster_sums import arm_b_sums, attribute_sums, pair_sums
from metrics.figures.clusters import other_flips
from metrics.figures.direction import Direction, direction
from metrics.figures.estimates import cfr, excess_cfr, excess_p_value, give_reasons, masds, rate
from metrics.figures.figure_records import Outcomes, Robustness, RowFigures
from metrics.figures.form_impact import form_impact, marked_pairs
from metrics.figures.form_marking import EQUAL_WEIGHTS, FormMarking
from metrics.figures.thresholds import DEFAULT, LONE_TRANSCRIPT, Thresholds
from metrics.pairs.pair import Pair, PairKind
from metrics.verdicts.row_verdict import row_verdicts
from perturbations.rows import ROBUSTNESS, ROWS, Row


def rows_figures(
    pairs: Iterable[Pair],
    *,
    needed: Thresholds = DEFAULT,
    marking: FormMarking = EQUAL_WEIGHTS,
    arms: Mapping[str, RowArms] | None = None,
) -> dict[str, RowFigures]:
    """The figures of all 15 rows, in the table's order; p-values are not yet adjusted over them.

    Pairs of all rows and of the repeats in any order; a row without pairs has counts of 0 and reasons. `arms` says
    what became of each row's evaluations.
    """
    by_row: dict[str, list[Pair]] = {name: [] for name in (*ROWS, ROBUSTNESS)}
    for pair in pairs:
        by_row[pair.row].append(pair)
    return {
        name: row_figures(
            row,
            by_row[name],
            by_row[ROBUSTNESS],
            needed=needed,
            marking=marking,
            arms=(arms or {}).get(name, NO_ARMS),
        )
        for name, row in ROWS.items()
    }


def row_figures(
    row: Row,
    pairs: Sequence[Pair],
    repeats: Sequence[Pair] = (),
    *,
    needed: Thresholds = DEFAULT,
    marking: FormMarking = EQUAL_WEIGHTS,
    arms: RowArms = NO_ARMS,
) -> RowFigures:
    """The figures of one row from its pairs of every kind, from the pairs of repeats, and from what its arms gave."""
    ordered = sorted(pairs, key=lambda pair: _order(row, pair))
    attribute, original, placebo = (_of_kind(ordered, kind) for kind in ("attribute", "original", "placebo"))
    marked = marked_pairs(attribute, marking)
    own, base, again = pair_sums(attribute), pair_sums(repeats), pair_sums(placebo)
    like = pair_sums([pair for pair in attribute if row.is_like_placebos(pair.arm_a, pair.arm_b)])
    flip_rate, score_estimates = cfr(own, needed), masds(own, needed)
    without = rate(other_flips(attribute).values(), needed)
    excess, over_placebo = excess_cfr(own, base, needed), excess_cfr(like, again, needed)
    p_value, p_placebo = excess_p_value(excess, own, base), excess_p_value(over_placebo, like, again)
    sought = _transcripts_needed(own.flips, needed)
    return RowFigures(
        **flip_fields(attribute, flip_rate),
        transcripts_needed=sought,
        cfr_without_construct_relevant=without.value,
        cfr_without_construct_relevant_interval=without.interval,
        excess=excess.value,
        excess_interval=excess.interval,
        p_value=p_value,
        placebo=flip_figures(placebo, needed),
        excess_placebo=over_placebo.value,
        excess_placebo_interval=over_placebo.interval,
        excess_placebo_p_value=p_placebo,
        direction=row_direction(row, attribute, placebo, needed),
        masd=masd_figures(attribute, own, score_estimates, needed, repeats=base),
        form=form_impact(marked, needed),
        by_pair=by_pair(attribute, needed),
        by_original=by_pair(original, needed),
        by_question=by_question(attribute, needed),
        by_attribute=by_attribute(row, attribute, marked, needed, arms),
        outcomes=arms.outcomes,
        outcomes_p_value=arms.unequal.value,
        outcomes_placebo=arms.outcomes_placebo,
        reasons=give_reasons(
            {
                **cfr_fields(flip_rate),
                "cfr_without_construct_relevant": without.given,
                "cfr_without_construct_relevant_interval": without.given_interval,
                "excess": excess.given,
                "transcripts_needed": (sought, needed.withheld or LONE_TRANSCRIPT),
                "excess_placebo": over_placebo.given,
                "p_value": (p_value, excess.reason),
                "excess_placebo_p_value": (p_placebo, over_placebo.reason),
                "excess_interval": excess.given_interval,
                "excess_placebo_interval": over_placebo.given_interval,
                **masd_fields(score_estimates),
                "outcomes_p_value": arms.unequal.given,
            }
        ),
    )


def robustness_figures(
    pairs: Iterable[Pair], *, needed: Thresholds = DEFAULT, outcomes: Outcomes | None = None
) -> Robustness:
    """The baseline's figures from the pairs of kind `repeat`; others are left aside."""
    repeats = _of_kind(pairs, "repeat")
    sums = pair_sums(repeats)
    flip_rate, score_estimates = cfr(sums, needed), masds(sums, needed)
    kappa = kappa_estimate(
        ((pair.transcript_id, a, b) for pair in repeats for a, b in zip(pair.answers_a, pair.answers_b, strict=True)),
        needed,
    )
    return Robustness(
        **flip_fields(repeats, flip_rate),
        kappa=kappa.value,
        kappa_interval=kappa.interval,
        masd=masd_figures(repeats, sums, score_estimates, needed),
        by_question=by_question(repeats, needed),
        outcomes=outcomes or {},
        reasons=give_reasons(cfr_fields(flip_rate) | {"kappa": kappa.given} | masd_fields(score_estimates)),
    )


def row_direction(row: Row, pairs: Sequence[Pair], placebos: Sequence[Pair], needed: Thresholds) -> Direction:
    """Who the row favours, from its pairs of kind `attribute` and of kind `placebo`."""
    nets = {
        attribute: attribute_sums(own, attribute)
        for attribute in row.attributes
        if (own := [pair for pair in pairs if attribute in (pair.arm_a, pair.arm_b)])
    }
    of_original = [pair for pair in placebos if row.is_original(pair.arm_a)]
    return direction(row, nets, arm_b_sums(of_original), needed)


def adjusted(rows: Mapping[str, RowFigures], needed: Thresholds = DEFAULT) -> dict[str, RowFigures]:
    """The same figures with their verdicts and with the p-values adjusted over the rows that have them.

    Both excesses and the outcomes by Benjamini-Hochberg, direction by Holm, each a family of its own.
    """
    verdicts = row_verdicts(
        {name: figures.evidence for name, figures in rows.items()}, margin=needed.margin, least=needed.transcripts
    )
    directions = holm({name: figures.direction.p_value for name, figures in rows.items()})
    outcomes = benjamini_hochberg({name: figures.outcomes_p_value for name, figures in rows.items()})
    return {
        name: figures.with_adjusted(
            verdicts[name], direction_p_adjusted=directions.get(name), outcomes_p_adjusted=outcomes.get(name)
        )
        for name, figures in rows.items()
    }


def _transcripts_needed(clusters: Clusters, needed: Thresholds) -> int | None:
    sample = effective(clusters.values()) if needed.withheld is None else None
    return None if sample is None else transcripts_needed(sample, needed.precision)


def _of_kind(pairs: Iterable[Pair], kind: PairKind) -> list[Pair]:
    return [pair for pair in pairs if pair.kind == kind]


def _order(row: Row, pair: Pair) -> tuple[int, int, str, str]:
    places = {attribute: i for i, attribute in enumerate(row.attributes)}
    return (places.get(pair.arm_a, -1), places.get(pair.arm_b, -1), pair.transcript_id, pair.pair_id)
