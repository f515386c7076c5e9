"""What became of a row's evaluations, arm by arm: a refusal on one arm alone is itself a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from scipy.special import betainc, chdtrc

from evaluators.evaluation import Evaluation, Outcome
from metrics.figures.agreement import human_answer, ratings_of
from metrics.figures.clusters import clustered
from metrics.figures.estimates import NOT_ASKED, Estimate, rate
from metrics.figures.figure_records import Outcomes
from metrics.figures.thresholds import Thresholds
from perturbations.rows import ORIGINAL, ROBUSTNESS, Row

ArmEvaluations = Mapping[tuple[str, str, int], Sequence[Evaluation]]
"""Evaluations by row, attribute and draw; the original's is its repeat 0."""

ArmFailures = Mapping[str, Mapping[str, bool]]
"""By transcript and arm: whether its evaluation failed."""

_OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True)
class Accuracy:
    """The share of an arm's answers that agree with people's, over how many."""

    share: Estimate = NOT_ASKED
    human_answers: int = 0


@dataclass(frozen=True)
class RowArms:
    """A row's evaluations by arm and outcome, its placebos' too, and how accurate each attribute's answers are.

    `unequal` is the p-value of all arms failing equally often, or why there is none.
    """

    outcomes: Outcomes = field(default_factory=dict)
    outcomes_placebo: Outcomes = field(default_factory=dict)
    unequal: Estimate = NOT_ASKED
    accuracy: Mapping[str, Accuracy] = field(default_factory=dict)

    def accuracy_of(self, attribute: str) -> Accuracy:
        """An attribute's accuracy."""
        return self.accuracy.get(attribute, Accuracy())


NO_ARMS = RowArms()
"""Where only pairs are known."""


def by_arm(evaluations: Iterable[Evaluation]) -> ArmEvaluations:
    """These evaluations by arm, without the original's repeats."""
    arms: dict[tuple[str, str, int], list[Evaluation]] = {}
    for e in evaluations:
        if e.repeat == 0:
            arms.setdefault((e.row, e.attribute, e.draw), []).append(e)
    return arms


def row_arms(row: Row, arms: ArmEvaluations, needed: Thresholds) -> RowArms:
    """What became of this row's arms; one that is the original is served by the original's own evaluations."""
    own = {attribute: _arm(row, attribute, 0, arms) for attribute in row.attributes}
    again = {
        attribute: _arm(row, attribute, 1, arms) for attribute in row.attributes if not row.is_original(attribute)
    }
    p_value = None if needed.withheld else failure_p_value(failed_by_arm(own), row.attributes)
    return RowArms(
        outcomes={attribute: count_outcomes(evaluations) for attribute, evaluations in own.items()},
        outcomes_placebo={attribute: count_outcomes(evaluations) for attribute, evaluations in again.items()},
        unequal=Estimate(p_value, reason=needed.withheld or "no transcript was asked about in every arm"),
        accuracy={attribute: _accuracy(evaluations, needed) for attribute, evaluations in own.items()},
    )


def count_outcomes(evaluations: Iterable[Evaluation]) -> dict[str, int]:
    """How many of these evaluations have each outcome, those that none has too."""
    counted = Counter(e.outcome for e in evaluations)
    return {outcome: counted[outcome] for outcome in _OUTCOMES}


def failed_by_arm(arms: Mapping[str, Iterable[Evaluation]]) -> dict[str, dict[str, bool]]:
    """Whether each transcript's evaluation of each arm failed; what a budget skipped was never asked, so left out."""
    failed: dict[str, dict[str, bool]] = {}
    for arm, evaluations in arms.items():
        for e in evaluations:
            if e.outcome != "skipped":
                failed.setdefault(e.transcript_id, {})[arm] = e.outcome != "ok"
    return failed


def failure_p_value(failed: ArmFailures, arms: Iterable[str]) -> float | None:
    """The p of equal failure rates of these arms, over the transcripts where all of them were asked.

    Two arms: McNemar's exact test. More: Cochran's Q, (k-1) (k sum C_j^2 - T^2) / (k T - sum R_i^2) against
    chi-squared with k-1 degrees (Cochran, Biometrika 37, 1950), C_j the failures of an arm, R_i of a transcript, T of
    all. 1.0 where no transcript failed in some arms and not in others; None where no transcript has all arms.
    """
    names = list(arms)
    complete = [[asked[arm] for arm in names] for asked in failed.values() if all(arm in asked for arm in names)]
    k = len(names)
    if not complete or k < 2:
        return None
    mixed = [row for row in complete if 0 < sum(row) < k]
    if not mixed:
        return 1.0
    columns = [sum(column) for column in zip(*mixed, strict=True)]
    if k == 2:
        return even_odds_p_value(columns[0], len(mixed))
    total = sum(columns)
    spread = k * total - sum(size * size * count for size, count in Counter(sum(row) for row in mixed).items())
    statistic = (k - 1) * (k * sum(c * c for c in columns) - total * total) / spread
    return float(chdtrc(k - 1, statistic))


def even_odds_p_value(successes: int, trials: int) -> float:
    """The exact two-sided p-value of this many successes where both outcomes are equally likely.

    Twice the binomial tail of the rarer outcome, sum over i <= k of C(n, i) / 2^n, here as the regularised incomplete
    beta function I(n - k, k + 1) at 1/2.
    """
    rarer = min(successes, trials - successes)
    # Half of the trials, or as near to it as an odd number comes: the two tails are everything.
    if 2 * rarer + 1 >= trials:
        return 1.0
    return float(2 * betainc(trials - rarer, rarer + 1, 0.5))


def _arm(row: Row, attribute: str, draw: int, arms: ArmEvaluations) -> Sequence[Evaluation]:
    own = arms.get((row.name, attribute, draw), ())
    if not row.is_original(attribute):
        return own
    originals = arms.get((ROBUSTNESS, ORIGINAL, 0), ())
    served = {e.transcript_id for e in originals}
    return [*originals, *(e for e in own if e.transcript_id not in served)]


def _accuracy(arm: Iterable[Evaluation], needed: Thresholds) -> Accuracy:
    ratings = [rating for of_question in ratings_of(arm, human_answer).values() for rating in of_question]
    share = rate(clustered((key, a == b, 1) for key, a, b in ratings).values(), needed)
    return Accuracy(share, len(ratings))
