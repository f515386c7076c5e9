"""Evaluations that gave no answers, by arm: a refusal on one arm alone is itself a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scipy.special import chdtrc
from scipy.stats import binomtest

from evaluators.evaluation import Evaluation

Failed = Mapping[str, Mapping[str, bool]]
"""By transcript and arm: whether its evaluation failed."""


def failed_by_arm(arms: Mapping[str, Iterable[Evaluation]]) -> dict[str, dict[str, bool]]:
    """Whether each transcript's evaluation of each arm failed; what a budget skipped was never asked, so left out."""
    failed: dict[str, dict[str, bool]] = {}
    for arm, evaluations in arms.items():
        for e in evaluations:
            if e.outcome != "skipped":
                failed.setdefault(e.transcript_id, {})[arm] = e.outcome != "ok"
    return failed


def failure_p_value(failed: Failed, arms: Iterable[str]) -> float | None:
    """The p of equal failure rates of these arms, over the transcripts where all of them were asked.

    Two arms: McNemar's exact test. More: Cochran's Q, (k-1) (k sum C_j^2 - T^2) / (k T - sum R_i^2) against
    chi-squared with k-1 degrees (Cochran, Biometrika 37, 1950), C_j the failures of an arm, R_i of a transcript, T of
    all. 1.0 where no transcript failed in some arms and not in others; None where no transcript has all arms.
    """
    names = list(arms)
    complete = [[held[arm] for arm in names] for held in failed.values() if all(arm in held for arm in names)]
    k = len(names)
    if not complete or k < 2:
        return None
    mixed = [row for row in complete if 0 < sum(row) < k]
    if not mixed:
        return 1.0
    columns = [sum(column) for column in zip(*mixed, strict=True)]
    if k == 2:
        return float(binomtest(columns[0], len(mixed)).pvalue)
    total = sum(columns)
    spread = k * total - sum(size * size * count for size, count in Counter(sum(row) for row in mixed).items())
    statistic = (k - 1) * (k * sum(c * c for c in columns) - total * total) / spread
    return float(chdtrc(k - 1, statistic))
