"""A row taken apart: by pair of arms, by question, by attribute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

from metrics.estimators.interval import Interval
from metrics.estimators.paired_difference import Clusters, pooled, rate_difference_interval
from metrics.figures.clusters import (
    SCORES,
    Comparison,
    ScoreName,
    absolute_differences,
    clustered,
    comparisons,
    flips,
    signed_differences,
)
from metrics.figures.figure_records import (
    Advantage,
    AttributeFigures,
    Masd,
    PairFigures,
    QuestionFigures,
    Rates,
    Score,
)
from metrics.figures.form_impact import Marked, pass_advantage, score_advantage
from metrics.figures.thresholds import LONE_TRANSCRIPT, Estimate, Thresholds, mean, rate
from metrics.pairs.pair import Pair
from perturbations.rows import Row


class Counts(TypedDict):
    """The fields that every set of pairs has, as keyword arguments of its record."""

    transcripts: int
    pairs: int
    comparisons: int
    flips: int
    cfr: float | None
    cfr_interval: Interval | None
    yes_to_no: int
    no_to_yes: int
    na_changes: int


def counts_of(pairs: Sequence[Pair], needed: Thresholds, reasons: dict[str, str]) -> Counts:
    """Counts and CFR of these pairs; what can't be given goes to `reasons`."""
    cfr = _cfr(flips(pairs), needed, reasons)
    return Counts(
        transcripts=len({pair.transcript_id for pair in pairs}),
        pairs=len(pairs),
        comparisons=sum(pair.comparisons for pair in pairs),
        flips=sum(pair.flips for pair in pairs),
        cfr=cfr.value,
        cfr_interval=cfr.interval,
        yes_to_no=sum(pair.yes_to_no for pair in pairs),
        no_to_yes=sum(pair.no_to_yes for pair in pairs),
        na_changes=sum(pair.na_changes for pair in pairs),
    )


def rates_of(pairs: Sequence[Pair], needed: Thresholds) -> Rates:
    """Counts and CFR of these pairs as a record of its own."""
    reasons: dict[str, str] = {}
    return Rates(**counts_of(pairs, needed, reasons), reasons=reasons)


def masd_of(pairs: Sequence[Pair], needed: Thresholds, reasons: dict[str, str]) -> Masd:
    """The three MASDs with the signed means beside them."""
    return Masd(**{score: _score(pairs, score, needed, reasons) for score in SCORES})


def note(reasons: dict[str, str], field: str, value: object, reason: str | None) -> None:
    """Say why, where this figure isn't given."""
    if value is None and reason is not None:
        reasons[field] = reason


def by_pair(pairs: Iterable[Pair], needed: Thresholds) -> tuple[PairFigures, ...]:
    """Figures of each pair of arms that occurs, in the order of the row's table."""
    held: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        held.setdefault((pair.arm_a, pair.arm_b), []).append(pair)
    return tuple(_pair_figures(arms, group, needed) for arms, group in held.items())


def by_question(pairs: Iterable[Pair], needed: Thresholds) -> tuple[QuestionFigures, ...]:
    """Figures of each question that any of these pairs answered in both arms, sorted by question_id."""
    held: dict[str, list[tuple[str, Comparison | None]]] = {}
    relevant: set[str] = set()
    for pair in pairs:
        compared = {c.question_id: c for c in comparisons(pair)}
        for question_id in pair.question_ids:
            held.setdefault(question_id, []).append((pair.transcript_id, compared.get(question_id)))
        relevant |= {
            q for q, is_relevant in zip(pair.question_ids, pair.construct_relevant, strict=True) if is_relevant
        }
    return tuple(_question_figures(q, held[q], q in relevant, needed) for q in sorted(held))


def by_attribute(row: Row, pairs: Sequence[Pair], held: Marked, needed: Thresholds) -> tuple[AttributeFigures, ...]:
    """Each attribute of the row against its others, over `pairs` of kind `attribute` and their marks."""
    return tuple(_attribute_figures(attribute, pairs, held, needed) for attribute in row.attributes)


def _cfr(clusters: Clusters, needed: Thresholds, reasons: dict[str, str]) -> Estimate:
    cfr = rate(clusters.values(), needed)
    note(reasons, "cfr", cfr.value, cfr.reason)
    note(reasons, "cfr_interval", cfr.interval, cfr.reason)
    return cfr


def _score(pairs: Sequence[Pair], score: ScoreName, needed: Thresholds, reasons: dict[str, str]) -> Score:
    absolute, signed = absolute_differences(pairs, score), signed_differences(pairs, score)
    return _score_of(score, absolute, signed, needed, reasons)


def _score_of(
    score: ScoreName, absolute: Clusters, signed: Clusters, needed: Thresholds, reasons: dict[str, str]
) -> Score:
    by_comparison = score == "confidence"
    masd = mean(absolute.values(), needed, low=0, high=100, by_comparison=by_comparison)
    shift = mean(signed.values(), needed, low=-100, high=100, by_comparison=by_comparison)
    note(reasons, f"masd.{score}", masd.value, masd.reason)
    if masd.value is not None:
        note(reasons, f"masd.{score}.interval", masd.interval, masd.reason)
    return Score(
        value=masd.value,
        interval=masd.interval,
        signed=shift.value,
        signed_interval=shift.interval,
        count=sum(n for _, n in absolute.values()),
    )


def _pair_figures(arms: tuple[str, str], pairs: Sequence[Pair], needed: Thresholds) -> PairFigures:
    reasons: dict[str, str] = {}
    counts = counts_of(pairs, needed, reasons)
    gained = clustered((pair.transcript_id, pair.no_to_yes, pair.comparisons) for pair in pairs)
    lost = clustered((pair.transcript_id, pair.yes_to_no, pair.comparisons) for pair in pairs)
    net, interval = _net(gained, lost, "net_change", needed, reasons)
    return PairFigures(
        arm_a=arms[0],
        arm_b=arms[1],
        net_change=net,
        net_change_interval=interval,
        masd=masd_of(pairs, needed, reasons),
        **counts,
        reasons=reasons,
    )


def _question_figures(
    question_id: str, answered: Sequence[tuple[str, Comparison | None]], relevant: bool, needed: Thresholds
) -> QuestionFigures:
    compared = [(key, comparison) for key, comparison in answered if comparison is not None]
    flipped = Counter((c.answer_a, c.answer_b) for _, c in compared if c.flip)
    reasons: dict[str, str] = {}
    cfr = _cfr(clustered((key, c.flip, 1) for key, c in compared), needed, reasons)
    differences = [(key, c.confidence_difference) for key, c in compared if c.confidence_difference is not None]
    confidence = _score_of(
        "confidence",
        clustered((key, abs(difference), 1) for key, difference in differences),
        clustered((key, difference, 1) for key, difference in differences),
        needed,
        reasons,
    )
    return QuestionFigures(
        question_id=question_id,
        construct_relevant=relevant,
        transcripts=len({key for key, _ in answered}),
        pairs=len(answered),
        comparisons=len(compared),
        flips=flipped.total(),
        cfr=cfr.value,
        cfr_interval=cfr.interval,
        yes_to_no=flipped["yes", "no"],
        no_to_yes=flipped["no", "yes"],
        na_changes=len(answered) - len(compared),
        masd=Masd(confidence=confidence),
        reasons=reasons,
    )


def _attribute_figures(attribute: str, pairs: Sequence[Pair], held: Marked, needed: Thresholds) -> AttributeFigures:
    own = [pair for pair in pairs if attribute in (pair.arm_a, pair.arm_b)]
    reasons: dict[str, str] = {}
    gained = clustered((p.transcript_id, _won(p, attribute), p.comparisons) for p in own)
    lost = clustered((p.transcript_id, p.flips - _won(p, attribute), p.comparisons) for p in own)
    net, interval = _net(gained, lost, "net_advantage", needed, reasons)
    yes = rate(clustered(_yes_answers(own, attribute)).values(), needed)
    note(reasons, "yes_share", yes.value, yes.reason)
    advantages = {score: _advantage(own, attribute, score, needed, reasons) for score in SCORES}
    return AttributeFigures(
        attribute=attribute,
        transcripts=len({pair.transcript_id for pair in own}),
        comparisons=sum(pair.comparisons for pair in own),
        yes_share=yes.value,
        net_advantage=net,
        net_advantage_interval=interval,
        confidence=advantages["confidence"],
        positive=advantages["positive"],
        improvement=advantages["improvement"],
        form_score=score_advantage(held, attribute, needed),
        passes=pass_advantage(held, attribute, needed),
        reasons=reasons,
    )


def _net(
    gained: Clusters, lost: Clusters, field: str, needed: Thresholds, reasons: dict[str, str]
) -> tuple[float | None, Interval | None]:
    plus, minus = pooled(gained), pooled(lost)
    held = [n for _, n in gained.values() if n > 0]
    reason = needed.shortfall(comparisons=sum(held), transcripts=len(held))
    if reason is not None or plus is None or minus is None:
        note(reasons, field, None, reason or "nothing to count")
        return None, None
    interval = rate_difference_interval(gained, lost)
    note(reasons, f"{field}_interval", interval, LONE_TRANSCRIPT)
    return plus - minus, interval


def _won(pair: Pair, attribute: str) -> int:
    return pair.yes_to_no if attribute == pair.arm_a else pair.no_to_yes


def _yes_answers(pairs: Iterable[Pair], attribute: str) -> Iterator[tuple[str, float, int]]:
    for pair in pairs:
        first = attribute == pair.arm_a
        answers = [c.answer_a if first else c.answer_b for c in comparisons(pair)]
        yield pair.transcript_id, answers.count("yes"), len(answers)


def _advantage(
    pairs: Sequence[Pair], attribute: str, score: ScoreName, needed: Thresholds, reasons: dict[str, str]
) -> Advantage:
    sides: Mapping[bool, list[Pair]] = {
        first: [p for p in pairs if (attribute == p.arm_a) is first] for first in (True, False)
    }
    signed = clustered(
        (key, -x if first else x, n)
        for first, side in sides.items()
        for key, (x, n) in signed_differences(side, score).items()
    )
    found = mean(signed.values(), needed, low=-100, high=100, by_comparison=score == "confidence")
    note(reasons, score, found.value, found.reason)
    return Advantage(value=found.value, interval=found.interval, count=sum(n for _, n in signed.values()))
