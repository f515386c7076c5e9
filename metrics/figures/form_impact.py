"""What a row's flips cost an agent on the form: score differences, and passes that become fails."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.estimators.paired_difference import pooled, rate_difference_interval
from metrics.figures.clusters import clustered
from metrics.figures.figure_records import Advantage, FormImpact
from metrics.figures.form_marking import Marking, Marks, marks_of
from metrics.figures.thresholds import Thresholds, mean, rate
from metrics.pairs.pair import Pair

Marked = list[tuple[Pair, Marks]]
"""Pairs with both arms' marks; those without are left out."""


def marked(pairs: Sequence[Pair], marking: Marking) -> Marked:
    """These pairs with their marks."""
    return [(pair, marks) for pair in pairs if (marks := marks_of(pair, marking)) is not None]


def form_impact(held: Marked, needed: Thresholds) -> FormImpact:
    """The row's figures on the form, over all its pairs."""
    differences = [(pair.transcript_id, marks.score_b - marks.score_a) for pair, marks in held]
    absolute = mean(
        clustered((key, abs(d), 1) for key, d in differences).values(), needed, low=0, high=100, by_comparison=False
    )
    signed = mean(
        clustered((key, d, 1) for key, d in differences).values(), needed, low=-100, high=100, by_comparison=False
    )
    changed = clustered((pair.transcript_id, marks.passed_a != marks.passed_b, 1) for pair, marks in held)
    share = rate(changed.values(), needed.by_pair())
    reasons = {
        name: estimate.reason
        for name, estimate in (("score_difference", absolute), ("pass_change", share))
        if estimate.value is None and estimate.reason is not None
    }
    return FormImpact(
        pairs=len(held),
        score_difference=absolute.value,
        score_difference_interval=absolute.interval,
        signed=signed.value,
        signed_interval=signed.interval,
        pass_to_fail=sum(marks.passed_a and not marks.passed_b for _, marks in held),
        fail_to_pass=sum(marks.passed_b and not marks.passed_a for _, marks in held),
        pass_change=share.value,
        pass_change_interval=share.interval,
        reasons=reasons,
    )


def score_advantage(held: Marked, attribute: str, needed: Thresholds) -> Advantage:
    """How the attribute's form score differs from the others' on average, in points."""
    own = [
        (
            pair.transcript_id,
            marks.score_b - marks.score_a if attribute == pair.arm_b else marks.score_a - marks.score_b,
        )
        for pair, marks in held
        if attribute in (pair.arm_a, pair.arm_b)
    ]
    found = mean(clustered((key, d, 1) for key, d in own).values(), needed, low=-100, high=100, by_comparison=False)
    return Advantage(value=found.value, interval=found.interval, count=len(own))


def pass_advantage(held: Marked, attribute: str, needed: Thresholds) -> Advantage:
    """P(the form passes | attribute) minus the mean over the others, in [-1, 1]."""
    own = [
        (pair.transcript_id, *((m.passed_b, m.passed_a) if attribute == pair.arm_b else (m.passed_a, m.passed_b)))
        for pair, m in held
        if attribute in (pair.arm_a, pair.arm_b)
    ]
    gained = clustered((key, passed and not other, 1) for key, passed, other in own)
    lost = clustered((key, other and not passed, 1) for key, passed, other in own)
    plus, minus = pooled(gained), pooled(lost)
    short = needed.shortfall(comparisons=None, transcripts=len(gained))
    if short is not None or plus is None or minus is None:
        return Advantage(count=len(own))
    return Advantage(value=plus - minus, interval=rate_difference_interval(gained, lost), count=len(own))
