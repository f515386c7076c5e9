"""Pairs into a store's sums in plain Python: what the SQL of `metrics.clickhouse.window_sums` has to give."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import groupby

from metrics.live.favoured import AttributeSums
from metrics.live.window import TranscriptSums
from metrics.pairs.pair import Pair, PairKind
from perturbations.rows import ROWS


def transcript_sums_of(pairs: Iterable[Pair]) -> list[TranscriptSums]:
    """Sums of the pairs of attributes, of repeats and of placebos, by row, model, epoch, kind and transcript."""

    def key(pair: Pair) -> tuple[str, str, str, PairKind, str]:
        return pair.row, pair.judge.model, pair.epoch, pair.kind, pair.transcript_id

    counted = sorted((pair for pair in pairs if pair.kind != "original"), key=key)
    return [_transcript_sums(place, list(own)) for place, own in groupby(counted, key)]


def attribute_sums_of(pairs: Iterable[Pair]) -> list[AttributeSums]:
    """What each attribute gains and loses against the others, and its placebo against itself.

    By row, model, epoch, kind, attribute and transcript.
    """
    sides = [
        ((p.row, p.judge.model, p.epoch, p.kind, attribute, p.transcript_id), gained, lost, p.comparisons)
        for p in pairs
        if p.kind in ("attribute", "placebo")
        for attribute, gained, lost in (
            (p.arm_b, p.no_to_yes, p.yes_to_no),
            *(((p.arm_a, p.yes_to_no, p.no_to_yes),) if p.kind == "attribute" else ()),
        )
    ]
    groups = groupby(sorted(sides), lambda side: side[0])
    return [
        AttributeSums(*place, *(sum(column) for column in zip(*(side[1:] for side in own), strict=True)))
        for place, own in groups
    ]


def is_like_placebos(pair: Pair) -> bool:
    return pair.row not in ROWS or ROWS[pair.row].is_like_placebos(pair.arm_a, pair.arm_b)


def _transcript_sums(place: tuple[str, str, str, PairKind, str], pairs: list[Pair]) -> TranscriptSums:
    positive = [abs(p.positive_difference) for p in pairs if p.positive_difference is not None]
    improvement = [abs(p.improvement_difference) for p in pairs if p.improvement_difference is not None]
    return TranscriptSums(
        *place,
        flips=sum(pair.flips for pair in pairs),
        comparisons=sum(pair.comparisons for pair in pairs),
        like_flips=sum(pair.flips for pair in pairs if is_like_placebos(pair)),
        like_comparisons=sum(pair.comparisons for pair in pairs if is_like_placebos(pair)),
        scores={
            "confidence": (
                math.fsum(pair.confidence_absolute_difference_sum for pair in pairs),
                sum(pair.confidence_count for pair in pairs),
            ),
            "positive": (math.fsum(positive), len(positive)),
            "improvement": (math.fsum(improvement), len(improvement)),
        },
    )
