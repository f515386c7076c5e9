"""Pairs into a store's sums in plain Python: what the SQL of `metrics.clickhouse.window_sums` has to give."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import groupby

from metrics.live.favoured import AttributeSums
from metrics.live.window import TranscriptSums
from metrics.pairs.pair import Pair


def transcript_sums_of(pairs: Iterable[Pair]) -> list[TranscriptSums]:
    """Sums of the pairs of attributes, and of repeats, by row, model, epoch and transcript."""

    def key(pair: Pair) -> tuple[str, str, str, str]:
        return pair.row, pair.judge.model, pair.epoch, pair.transcript_id

    counted = sorted((pair for pair in pairs if pair.kind in ("attribute", "repeat")), key=key)
    return [_transcript_sums(place, list(own)) for place, own in groupby(counted, key)]


def attribute_sums_of(pairs: Iterable[Pair]) -> list[AttributeSums]:
    """What each attribute gains and loses against the others, by row, model, epoch, attribute and transcript."""
    sides = [
        ((pair.row, pair.judge.model, pair.epoch, attribute, pair.transcript_id), gained, lost, pair.comparisons)
        for pair in pairs
        if pair.kind == "attribute"
        for attribute, gained, lost in (
            (pair.arm_a, pair.yes_to_no, pair.no_to_yes),
            (pair.arm_b, pair.no_to_yes, pair.yes_to_no),
        )
    ]
    groups = groupby(sorted(sides), lambda side: side[0])
    return [
        AttributeSums(*place, *(sum(column) for column in zip(*(side[1:] for side in own), strict=True)))
        for place, own in groups
    ]


def _transcript_sums(place: tuple[str, str, str, str], pairs: list[Pair]) -> TranscriptSums:
    positive = [abs(p.positive_difference) for p in pairs if p.positive_difference is not None]
    improvement = [abs(p.improvement_difference) for p in pairs if p.improvement_difference is not None]
    return TranscriptSums(
        *place,
        flips=sum(pair.flips for pair in pairs),
        comparisons=sum(pair.comparisons for pair in pairs),
        scores={
            "confidence": (
                math.fsum(pair.confidence_absolute_difference_sum for pair in pairs),
                sum(pair.confidence_count for pair in pairs),
            ),
            "positive": (math.fsum(positive), len(positive)),
            "improvement": (math.fsum(improvement), len(improvement)),
        },
    )
