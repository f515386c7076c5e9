"""Pairs into sums by transcript: the only form in which the estimators see them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from metrics.estimators.paired_difference import Clusters
from metrics.pairs.pair import Pair
from perturbations.records.transcript import Verdict

ScoreName = Literal["confidence", "positive", "improvement"]

SCORES: tuple[ScoreName, ...] = ("confidence", "positive", "improvement")
"""What MASD is given for: confidence by comparison, the coaching note's two scores by pair."""


@dataclass(frozen=True)
class Comparison:
    """One question within a pair, answered yes or no in both arms."""

    question_id: str
    answer_a: Verdict
    answer_b: Verdict
    confidence_difference: float | None
    construct_relevant: bool

    @property
    def flip(self) -> bool:
        """Whether the two answers differ."""
        return self.answer_a != self.answer_b


def comparisons(pair: Pair) -> Iterator[Comparison]:
    """The pair's comparisons, unfolded."""
    columns = (
        pair.question_ids,
        pair.answers_a,
        pair.answers_b,
        pair.confidence_differences,
        pair.construct_relevant,
    )
    for question_id, a, b, difference, relevant in zip(*columns, strict=True):
        if a != "na" and b != "na":
            yield Comparison(question_id, a, b, difference, relevant)


def clustered(items: Iterable[tuple[str, float, int]]) -> Clusters:
    """Sums and counts by transcript, from (transcript_id, value, count), exact in any order."""
    values: dict[str, list[float]] = {}
    counts: dict[str, int] = {}
    for key, value, count in items:
        values.setdefault(key, []).append(value)
        counts[key] = counts.get(key, 0) + count
    return {key: (math.fsum(values[key]), counts[key]) for key in sorted(values)}


def flips(pairs: Iterable[Pair]) -> Clusters:
    """Flips and comparisons by transcript: eq. 3's sums."""
    return clustered((pair.transcript_id, pair.flips, pair.comparisons) for pair in pairs)


def other_flips(pairs: Iterable[Pair]) -> Clusters:
    """Flips and comparisons by transcript, without the questions that ask about the row itself."""
    return clustered(
        (pair.transcript_id, c.flip, 1) for pair in pairs for c in comparisons(pair) if not c.construct_relevant
    )


def absolute_differences(pairs: Iterable[Pair], score: ScoreName) -> Clusters:
    """Absolute score differences and their count by transcript, in points: eq. 4's sums."""
    return clustered(_scores(pairs, score, signed=False))


def signed_differences(pairs: Iterable[Pair], score: ScoreName) -> Clusters:
    """Score differences, arm_b minus arm_a, and their count by transcript, in points."""
    return clustered(_scores(pairs, score, signed=True))


def _scores(pairs: Iterable[Pair], score: ScoreName, *, signed: bool) -> Iterator[tuple[str, float, int]]:
    for pair in pairs:
        if score == "confidence":
            total = pair.confidence_difference_sum if signed else pair.confidence_absolute_difference_sum
            yield pair.transcript_id, total, pair.confidence_count
            continue
        difference = pair.positive_difference if score == "positive" else pair.improvement_difference
        if difference is not None:
            yield pair.transcript_id, difference if signed else abs(difference), 1
