"""What a row's flips cost an agent on the form: score differences, and passes that become fails."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.figures.cluster_sums import NetSums
from metrics.figures.clusters import clustered
from metrics.figures.estimates import Estimate, give_reasons, mean, net_share, rate
from metrics.figures.figure_records import Advantage, FormImpact
from metrics.figures.form_marking import FormMarking, FormMarks, form_marks
from metrics.figures.thresholds import Thresholds
from metrics.pairs.pair import Pair

MarkedPairs = Sequence[tuple[Pair, FormMarks]]
"""Pairs with both arms' marks; those without are left out."""


def marked_pairs(pairs: Sequence[Pair], marking: FormMarking) -> MarkedPairs:
    """These pairs with their marks."""
    return [(pair, marks) for pair in pairs if (marks := form_marks(pair, marking)) is not None]


def form_impact(marked: MarkedPairs, needed: Thresholds) -> FormImpact:
    """The row's figures on the form, over all its pairs."""
    differences = [(pair.transcript_id, marks.score_b - marks.score_a) for pair, marks in marked]
    absolute = mean(
        clustered((key, abs(d), 1) for key, d in differences).values(), needed, low=0, high=100, by_comparison=False
    )
    signed = mean(
        clustered((key, d, 1) for key, d in differences).values(), needed, low=-100, high=100, by_comparison=False
    )
    changed = clustered((pair.transcript_id, marks.passed_a != marks.passed_b, 1) for pair, marks in marked)
    share = rate(changed.values(), needed.by_pair())
    return FormImpact(
        pairs=len(marked),
        score_difference=absolute.value,
        score_difference_interval=absolute.interval,
        signed=signed.value,
        signed_interval=signed.interval,
        pass_to_fail=sum(marks.passed_a and not marks.passed_b for _, marks in marked),
        fail_to_pass=sum(marks.passed_b and not marks.passed_a for _, marks in marked),
        pass_change=share.value,
        pass_change_interval=share.interval,
        reasons=give_reasons({"score_difference": absolute.given, "pass_change": share.given}),
    )


def score_advantage(marked: MarkedPairs, attribute: str, needed: Thresholds) -> Advantage:
    """How the attribute's form score differs from the others' on average, in points."""
    own = [
        (
            pair.transcript_id,
            marks.score_b - marks.score_a if attribute == pair.arm_b else marks.score_a - marks.score_b,
        )
        for pair, marks in marked
        if attribute in (pair.arm_a, pair.arm_b)
    ]
    shift = mean(clustered((key, d, 1) for key, d in own).values(), needed, low=-100, high=100, by_comparison=False)
    return _advantage(shift, len(own))


def pass_advantage(marked: MarkedPairs, attribute: str, needed: Thresholds) -> Advantage:
    """P(the form passes | attribute) minus the mean over the others, in [-1, 1]."""
    own = [
        (pair.transcript_id, *((m.passed_b, m.passed_a) if attribute == pair.arm_b else (m.passed_a, m.passed_b)))
        for pair, m in marked
        if attribute in (pair.arm_a, pair.arm_b)
    ]
    passes = NetSums(
        gained=clustered((key, passed and not others, 1) for key, passed, others in own),
        lost=clustered((key, others and not passed, 1) for key, passed, others in own),
    )
    return _advantage(net_share(passes, needed, by_comparison=False), len(own))


def _advantage(estimate: Estimate, count: int) -> Advantage:
    return Advantage(value=estimate.value, interval=estimate.interval, count=count)
