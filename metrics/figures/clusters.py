"""Pairs into sums by transcript: the only form in which the estimators see them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

from metrics.estimators.paired_difference import Clusters
from metrics.pairs.pair import Pair

ScoreName = Literal["confidence", "positive", "improvement"]

SCORES: tuple[ScoreName, ...] = ("confidence", "positive", "improvement")
"""What MASD is given for: confidence by comparison, the coaching note's two scores by pair."""


def clustered(items: Iterable[tuple[str, float, int]]) -> Clusters:
    """Sums and counts by transcript, from (transcript_id, value, count), exact in any order."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    counts: defaultdict[str, int] = defaultdict(int)
    for key, value, count in items:
        values[key].append(value)
        counts[key] += count
    return {key: (math.fsum(values[key]), counts[key]) for key in sorted(values)}


def flips(pairs: Iterable[Pair]) -> Clusters:
    """Flips and comparisons by transcript: eq. 3's sums."""
    return clustered((pair.transcript_id, pair.flips, pair.comparisons) for pair in pairs)


def other_flips(pairs: Iterable[Pair]) -> Clusters:
    """Flips and comparisons by transcript, without the questions that ask about the row itself."""
    return clustered((pair.transcript_id, *_others(pair)) for pair in pairs)


def _others(pair: Pair) -> tuple[int, int]:
    if not any(pair.construct_relevant):
        return pair.flips, pair.comparisons
    answers = zip(pair.answers_a, pair.answers_b, pair.construct_relevant, strict=True)
    counted = [a != b for a, b, relevant in answers if not relevant and a != "na" and b != "na"]
    return sum(counted), len(counted)


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
