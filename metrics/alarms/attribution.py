"""Did the judge change, or the traffic? Transcripts that are judged again and again tell the two apart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from itertools import combinations, product
from typing import Literal

from pydantic import BaseModel
from scipy.special import stdtr

from evaluators.evaluation import Evaluation
from metrics.pairs.dedup import EPOCH_ZERO
from perturbations.records.reading import OWN
from perturbations.records.transcript import Verdict

DriftCause = Literal["judge", "traffic"]


class Attribution(BaseModel):
    """What a change comes from, with its evidence.

    `disagreement_before` is how often two rounds before the change differ on the same question of the same anchor,
    `disagreement_across` how often one before and one after do, both ratios. `verdict` is None with a reason where
    too few anchors were judged twice before and once after.
    """

    model_config = OWN

    verdict: DriftCause | None
    anchors: int
    disagreement_before: float | None = None
    disagreement_across: float | None = None
    p_value: float | None = None
    reason: str | None = None


_Answers = dict[str, Verdict]


def attribute_change(
    anchors: Iterable[Evaluation], changed_at: datetime, *, alpha: float = 0.01, least: int = 10
) -> Attribution:
    """Whether a drift noticed around `changed_at` is the judge's or the traffic's.

    `anchors` are evaluations of the same transcripts and arms over time, under any epoch of one judge. On an anchor
    the text is the same, so answers that differ more often across the change than between two rounds before it show a
    changed judge: one-sided t test over anchors of the difference of the two disagreements, `judge` where p < alpha.
    Otherwise it is what is judged that changed. `least`: how many anchors it takes.
    """
    compared = [
        disagreements
        for rounds in _rounds(anchors).values()
        if (disagreements := _compare(rounds, changed_at)) is not None
    ]
    m = len(compared)
    if m < least:
        return Attribution(
            verdict=None, anchors=m, reason=f"too few ({m} of {least}) anchors judged before and after"
        )
    before, across = (math.fsum(column) / m for column in zip(*compared, strict=True))
    differences = [b - a for a, b in compared]
    mean = math.fsum(differences) / m
    variance = math.fsum((d - mean) ** 2 for d in differences) / (m - 1) / m
    p_value = float(stdtr(m - 1, -mean / math.sqrt(variance))) if variance > 0 else float(mean <= 0)
    return Attribution(
        verdict="judge" if p_value < alpha else "traffic",
        anchors=m,
        disagreement_before=before,
        disagreement_across=across,
        p_value=p_value,
    )


_Anchor = tuple[str, str, str, str, int]
"""Transcript, its content, row, attribute, draw."""


def _rounds(anchors: Iterable[Evaluation]) -> dict[_Anchor, list[tuple[datetime, _Answers]]]:
    rounds: dict[_Anchor, list[tuple[datetime, _Answers]]] = {}
    for e in anchors:
        if e.outcome == "ok":
            answers = {a.question_id: a.answer for a in e.answers if a.outcome == "ok" and a.answer is not None}
            key = (e.transcript_id, e.transcript_hash, e.row, e.attribute, e.draw)
            rounds.setdefault(key, []).append((e.evaluated_at or EPOCH_ZERO, answers))
    return rounds


def _compare(rounds: list[tuple[datetime, _Answers]], changed_at: datetime) -> tuple[float, float] | None:
    before = [answers for moment, answers in rounds if moment < changed_at]
    after = [answers for moment, answers in rounds if moment >= changed_at]
    within, across = _disagreement(combinations(before, 2)), _disagreement(product(before, after))
    return None if within is None or across is None else (within, across)


def _disagreement(pairs: Iterable[tuple[_Answers, _Answers]]) -> float | None:
    differing = [a[q] != b[q] for a, b in pairs for q in a.keys() & b.keys()]
    return sum(differing) / len(differing) if differing else None
