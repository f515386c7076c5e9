"""A row taken apart: by pair of arms, by question, by attribute."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import TypedDict

from metrics.estimators.interval import Interval
from metrics.estimators.paired_difference import Clusters, mean_difference_interval, pooled, shared
from metrics.figures.arm_outcomes import Accuracy, RowArms
from metrics.figures.cluster_sums import PairSums, arm_b_sums, attribute_sums, pair_sums
from metrics.figures.clusters import SCORES, ScoreName, clustered, signed_differences
from metrics.figures.estimates import (
    NOT_ASKED,
    Estimate,
    Given,
    cfr,
    give_reasons,
    masd,
    masds,
    mean_shift,
    net_share,
    rate,
)
from metrics.figures.figure_records import (
    Advantage,
    AttributeFigures,
    FlipFigures,
    Masd,
    PairFigures,
    QuestionFigures,
    ScoreFigures,
)
from metrics.figures.form_impact import MarkedPairs, pass_advantage, score_advantage
from metrics.figures.thresholds import Thresholds
from metrics.pairs.pair import Pair
from perturbations.records.transcript import Verdict
from perturbations.rows import Row


class FlipFields(TypedDict):
    """The fields of `FlipFigures` without its reasons, as keyword arguments of the records that extend it."""

    transcripts: int
    pairs: int
    comparisons: int
    flips: int
    cfr: float | None
    cfr_interval: Interval | None
    yes_to_no: int
    no_to_yes: int
    na_changes: int


def flip_fields(pairs: Sequence[Pair], estimate: Estimate) -> FlipFields:
    """The counts of these pairs, with their CFR."""
    return FlipFields(
        transcripts=len({pair.transcript_id for pair in pairs}),
        pairs=len(pairs),
        comparisons=sum(pair.comparisons for pair in pairs),
        flips=sum(pair.flips for pair in pairs),
        cfr=estimate.value,
        cfr_interval=estimate.interval,
        yes_to_no=sum(pair.yes_to_no for pair in pairs),
        no_to_yes=sum(pair.no_to_yes for pair in pairs),
        na_changes=sum(pair.na_changes for pair in pairs),
    )


def flip_figures(pairs: Sequence[Pair], needed: Thresholds) -> FlipFigures:
    """The counts of these pairs, with their CFR, as a record of its own."""
    estimate = cfr(pair_sums(pairs), needed)
    return FlipFigures(**flip_fields(pairs, estimate), reasons=give_reasons(cfr_fields(estimate)))


def cfr_fields(estimate: Estimate) -> dict[str, Given]:
    """A CFR and its interval under the names of their fields."""
    return {"cfr": estimate.given, "cfr_interval": estimate.given_interval}


def masd_figures(
    pairs: Sequence[Pair],
    sums: PairSums,
    estimates: Mapping[ScoreName, Estimate],
    needed: Thresholds,
    *,
    repeats: PairSums | None = None,
) -> Masd:
    """The three MASDs with the signed means beside them and, where there are any, their excess over `repeats`."""

    def of(score: ScoreName) -> ScoreFigures:
        signed = signed_differences(pairs, score)
        baseline = None if repeats is None else repeats.differences[score]
        return _score_figures(score, estimates[score], sums.differences[score], signed, needed, baseline)

    return Masd(confidence=of("confidence"), positive=of("positive"), improvement=of("improvement"))


def masd_fields(estimates: Mapping[ScoreName, Estimate]) -> dict[str, Given]:
    """The MASDs under the names of their fields."""
    fields: dict[str, Given] = {}
    for score, estimate in estimates.items():
        fields |= estimate.in_turn(f"masd.{score}", f"masd.{score}.interval")
    return fields


def by_pair(pairs: Iterable[Pair], needed: Thresholds) -> tuple[PairFigures, ...]:
    """Figures of each pair of arms that occurs, in the order of the row's table."""
    by_arms: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        by_arms.setdefault((pair.arm_a, pair.arm_b), []).append(pair)
    return tuple(_pair_figures(arms, own, needed) for arms, own in by_arms.items())


def by_question(pairs: Iterable[Pair], needed: Thresholds) -> tuple[QuestionFigures, ...]:
    """Figures of each question that any of these pairs answered in both arms, sorted by question_id."""
    answered: defaultdict[str, list[_Answers]] = defaultdict(list)
    relevant: set[str] = set()
    for pair in pairs:
        key = pair.transcript_id
        columns = (pair.question_ids, pair.answers_a, pair.answers_b, pair.confidence_differences)
        for question_id, a, b, difference in zip(*columns, strict=True):
            answered[question_id].append((key, a, b, difference))
        if any(pair.construct_relevant):
            relevant.update(compress(pair.question_ids, pair.construct_relevant))
    return tuple(_question_figures(q, answered[q], q in relevant, needed) for q in sorted(answered))


def by_attribute(
    row: Row, pairs: Sequence[Pair], marked: MarkedPairs, needed: Thresholds, arms: RowArms
) -> tuple[AttributeFigures, ...]:
    """Each attribute of the row against its others, over `pairs` of kind `attribute` and their marks."""
    return tuple(
        _attribute_figures(attribute, pairs, marked, needed, arms.accuracy_of(attribute))
        for attribute in row.attributes
    )


def _score_figures(
    score: ScoreName,
    estimate: Estimate,
    absolute: Clusters,
    signed: Clusters,
    needed: Thresholds,
    baseline: Clusters | None = None,
) -> ScoreFigures:
    shift = mean_shift(signed, score, needed)
    above = NOT_ASKED if baseline is None or estimate.value is None else _masd_excess(absolute, baseline)
    return ScoreFigures(
        value=estimate.value,
        interval=estimate.interval,
        signed=shift.value,
        signed_interval=shift.interval,
        excess=above.value,
        excess_interval=above.interval,
        count=sum(n for _, n in absolute.values()),
    )


def _masd_excess(differences: Clusters, baseline: Clusters) -> Estimate:
    own, base = shared(differences, baseline)
    p, q = pooled(own), pooled(base)
    if p is None or q is None:
        return NOT_ASKED
    return Estimate(p - q, mean_difference_interval(own, base, scale=100.0))


def _pair_figures(arms: tuple[str, str], pairs: Sequence[Pair], needed: Thresholds) -> PairFigures:
    sums = pair_sums(pairs)
    flip_rate, score_estimates = cfr(sums, needed), masds(sums, needed)
    net = net_share(arm_b_sums(pairs), needed)
    return PairFigures(
        arm_a=arms[0],
        arm_b=arms[1],
        net_change=net.value,
        net_change_interval=net.interval,
        masd=masd_figures(pairs, sums, score_estimates, needed),
        **flip_fields(pairs, flip_rate),
        reasons=give_reasons(
            cfr_fields(flip_rate) | net.in_turn("net_change", "net_change_interval") | masd_fields(score_estimates)
        ),
    )


_Answers = tuple[str, Verdict, Verdict, float | None]
"""A transcript, its answers in both arms, and the difference of their confidences."""


def _question_figures(
    question_id: str, answered: Sequence[_Answers], relevant: bool, needed: Thresholds
) -> QuestionFigures:
    compared = [answers for answers in answered if answers[1] != "na" and answers[2] != "na"]
    flipped = Counter((a, b) for _, a, b, _ in compared if a != b)
    flip_rate = rate(clustered((key, a != b, 1) for key, a, b, _ in compared).values(), needed)
    signed = clustered((key, difference, 1) for key, _, _, difference in compared if difference is not None)
    absolute = clustered((key, abs(difference), 1) for key, _, _, difference in compared if difference is not None)
    confidence = masd(absolute, "confidence", needed)
    return QuestionFigures(
        question_id=question_id,
        construct_relevant=relevant,
        transcripts=len({answers[0] for answers in answered}),
        pairs=len(answered),
        comparisons=len(compared),
        flips=flipped.total(),
        cfr=flip_rate.value,
        cfr_interval=flip_rate.interval,
        yes_to_no=flipped["yes", "no"],
        no_to_yes=flipped["no", "yes"],
        na_changes=len(answered) - len(compared),
        masd=Masd(confidence=_score_figures("confidence", confidence, absolute, signed, needed)),
        reasons=give_reasons(cfr_fields(flip_rate) | masd_fields({"confidence": confidence})),
    )


def _attribute_figures(
    attribute: str, pairs: Sequence[Pair], marked: MarkedPairs, needed: Thresholds, accuracy: Accuracy
) -> AttributeFigures:
    own = [pair for pair in pairs if attribute in (pair.arm_a, pair.arm_b)]
    net = net_share(attribute_sums(own, attribute), needed)
    yes = rate(clustered(_yes_answers(own, attribute)).values(), needed)
    shifts = {score: _shift(own, attribute, score) for score in SCORES}
    advantages = {score: mean_shift(shifts[score], score, needed) for score in SCORES}
    return AttributeFigures(
        attribute=attribute,
        transcripts=len({pair.transcript_id for pair in own}),
        comparisons=sum(pair.comparisons for pair in own),
        yes_share=yes.value,
        net_advantage=net.value,
        net_advantage_interval=net.interval,
        confidence=_advantage(advantages["confidence"], shifts["confidence"]),
        positive=_advantage(advantages["positive"], shifts["positive"]),
        improvement=_advantage(advantages["improvement"], shifts["improvement"]),
        form_score=score_advantage(marked, attribute, needed),
        passes=pass_advantage(marked, attribute, needed),
        accuracy=accuracy.share.value,
        accuracy_interval=accuracy.share.interval,
        human_answers=accuracy.human_answers,
        reasons=give_reasons(
            net.in_turn("net_advantage", "net_advantage_interval")
            | {"yes_share": yes.given}
            | {score: advantages[score].given for score in SCORES}
            | {"accuracy": accuracy.share.given}
        ),
    )


def _yes_answers(pairs: Iterable[Pair], attribute: str) -> Iterator[tuple[str, float, int]]:
    for pair in pairs:
        own, others = (pair.answers_a, pair.answers_b)[:: 1 if attribute == pair.arm_a else -1]
        # An answer of yes beside one of na is in no comparison.
        apart = sum(a == "yes" and b == "na" for a, b in zip(own, others, strict=True)) if pair.na_changes else 0
        yield pair.transcript_id, own.count("yes") - apart, pair.comparisons


def _shift(pairs: Sequence[Pair], attribute: str, score: ScoreName) -> Clusters:
    """The attribute's scores minus the other attributes', summed by transcript."""
    sides = {first: [p for p in pairs if (attribute == p.arm_a) is first] for first in (True, False)}
    return clustered(
        (key, -x if first else x, n)
        for first, side in sides.items()
        for key, (x, n) in signed_differences(side, score).items()
    )


def _advantage(estimate: Estimate, differences: Clusters) -> Advantage:
    return Advantage(value=estimate.value, interval=estimate.interval, count=sum(n for _, n in differences.values()))
