"""Sums by transcript: what figures are made of, whoever adds them up, from pairs here or a store from its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from metrics.estimators.paired_difference import Clusters
from metrics.figures.clusters import SCORES, ScoreName, absolute_differences, clustered, flips
from metrics.pairs.pair import Pair


@dataclass(frozen=True)
class PairSums:
    """A set of pairs as sums by transcript: what its CFR, its excess and its MASDs are made of.

    `flips` has flips and comparisons of every transcript with a pair, of those with nothing to compare too;
    `differences` the absolute score differences, in points, with their count.
    """

    flips: Clusters
    differences: Mapping[ScoreName, Clusters]

    @property
    def transcripts(self) -> int:
        """How many transcripts have a pair."""
        return len(self.flips)

    @property
    def comparisons(self) -> int:
        """How many questions are compared in all pairs."""
        return sum(count for _, count in self.flips.values())


@dataclass(frozen=True)
class NetSums:
    """Comparisons that are yes on one side alone (`gained`) and on the other alone (`lost`), by transcript."""

    gained: Clusters
    lost: Clusters


def pair_sums(pairs: Iterable[Pair]) -> PairSums:
    """The sums of these pairs."""
    pairs = list(pairs)
    return PairSums(flips(pairs), {score: absolute_differences(pairs, score) for score in SCORES})


def arm_b_sums(pairs: Sequence[Pair]) -> NetSums:
    """What arm_b gains and loses against arm_a; the pairs are of the same two arms."""
    return NetSums(
        gained=clustered((pair.transcript_id, pair.no_to_yes, pair.comparisons) for pair in pairs),
        lost=clustered((pair.transcript_id, pair.yes_to_no, pair.comparisons) for pair in pairs),
    )


def attribute_sums(pairs: Sequence[Pair], attribute: str) -> NetSums:
    """What an attribute gains and loses against the others of its row; every pair has it as one arm."""
    return NetSums(
        gained=clustered((pair.transcript_id, yes_alone(pair, attribute), pair.comparisons) for pair in pairs),
        lost=clustered(
            (pair.transcript_id, pair.flips - yes_alone(pair, attribute), pair.comparisons) for pair in pairs
        ),
    )


def yes_alone(pair: Pair, attribute: str) -> int:
    """How many of the pair's comparisons are yes under this attribute alone."""
    return pair.yes_to_no if attribute == pair.arm_a else pair.no_to_yes
