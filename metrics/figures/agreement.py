"""Agreement of two raters: with people (accuracy), with production (fidelity), with oneself (repeats)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from pydantic import BaseModel, ConfigDict, Field

from metrics.estimators.interval import Interval, t_quantile
from metrics.figures.clusters import clustered
from metrics.figures.thresholds import Estimate, Thresholds, rate
from perturbations.records.transcript import Verdict

Rating = tuple[str, Verdict, Verdict]
"""transcript_id, one rater's verdict, the other's."""

_Table = Counter[tuple[Verdict, Verdict]]

NO_VARIATION = "both raters always give the same answer: chance agreement is complete"


class QuestionAgreement(BaseModel):
    """Agreement on one question; `disagreeing` are the ids of the transcripts in which the two raters differ."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    question_id: str
    transcripts: int
    answers: int
    agreements: int
    agreement: float | None = None
    interval: Interval | None = None
    kappa: float | None = None
    disagreeing: tuple[str, ...] = ()
    reasons: dict[str, str] = Field(default_factory=dict)


class Agreement(BaseModel):
    """How often two raters agree, over yes, no and na, with Cohen's kappa; `by_question` the same apart.

    `agreement` is the share in [0, 1]: accuracy where one of the two is a person.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    transcripts: int = 0
    answers: int = 0
    agreements: int = 0
    agreement: float | None = None
    interval: Interval | None = None
    kappa: float | None = None
    kappa_interval: Interval | None = None
    by_question: tuple[QuestionAgreement, ...] = ()
    reasons: dict[str, str] = Field(default_factory=dict)


def kappa(table: Mapping[tuple[Verdict, Verdict], int]) -> float | None:
    """Cohen's kappa in [-1, 1] of a table of verdict pairs; None where chance agreement is 1 or nothing is counted.

    (p_o - p_e) / (1 - p_e), p_e from the two raters' own shares (Cohen, 1960).
    """
    total = sum(table.values())
    if total == 0:
        return None
    agreed = sum(count for (a, b), count in table.items() if a == b)
    first, second = Counter[Verdict](), Counter[Verdict]()
    for (a, b), count in table.items():
        first[a] += count
        second[b] += count
    # In whole numbers, so that a chance agreement of exactly 1 is seen as such.
    chance = sum(first[verdict] * second[verdict] for verdict in first)
    if chance == total * total:
        return None
    return (agreed * total - chance) / (total * total - chance)


def kappa_estimate(ratings: Iterable[Rating], needed: Thresholds) -> Estimate:
    """Cohen's kappa with a jackknife interval over transcripts (delete one, t quantile), cut at [-1, 1]."""
    tables: dict[str, _Table] = {}
    for key, a, b in ratings:
        tables.setdefault(key, Counter())[a, b] += 1
    whole: _Table = Counter()
    for table in tables.values():
        whole.update(table)
    reason = needed.shortfall(comparisons=sum(whole.values()), transcripts=len(tables))
    if reason is not None:
        return Estimate(None, None, reason)
    value = kappa(whole)
    if value is None:
        return Estimate(None, None, NO_VARIATION)
    return Estimate(value, _jackknife(value, whole, tables), None)


def agreement(ratings: Mapping[str, Iterable[Rating]], needed: Thresholds) -> Agreement:
    """Agreement of two raters from their ratings by question."""
    held = {question_id: sorted(ratings[question_id]) for question_id in sorted(ratings)}
    everything = [rating for group in held.values() for rating in group]
    found = _figures(everything, needed)
    return Agreement(
        transcripts=found.transcripts,
        answers=found.answers,
        agreements=found.agreements,
        agreement=found.share.value,
        interval=found.share.interval,
        kappa=found.kappa.value,
        kappa_interval=found.kappa.interval,
        by_question=tuple(_question(question_id, group, needed) for question_id, group in held.items()),
        reasons=found.reasons(),
    )


class _Figures(BaseModel):
    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    transcripts: int
    answers: int
    agreements: int
    share: Estimate
    kappa: Estimate

    def reasons(self) -> dict[str, str]:
        given = {"agreement": self.share, "kappa": self.kappa}
        return {name: e.reason for name, e in given.items() if e.value is None and e.reason is not None}


def _figures(ratings: list[Rating], needed: Thresholds) -> _Figures:
    by_transcript = clustered((key, a == b, 1) for key, a, b in ratings)
    return _Figures(
        transcripts=len(by_transcript),
        answers=len(ratings),
        agreements=sum(a == b for _, a, b in ratings),
        share=rate(by_transcript.values(), needed),
        kappa=kappa_estimate(ratings, needed),
    )


def _question(question_id: str, ratings: list[Rating], needed: Thresholds) -> QuestionAgreement:
    found = _figures(ratings, needed)
    return QuestionAgreement(
        question_id=question_id,
        transcripts=found.transcripts,
        answers=found.answers,
        agreements=found.agreements,
        agreement=found.share.value,
        interval=found.share.interval,
        kappa=found.kappa.value,
        disagreeing=tuple(sorted({key for key, a, b in ratings if a != b})),
        reasons=found.reasons(),
    )


def _jackknife(value: float, whole: _Table, tables: Mapping[str, _Table]) -> Interval | None:
    m = len(tables)
    left = [kappa(whole - table) for table in tables.values()]
    known = [k for k in left if k is not None]
    if m < 2 or len(known) < m:
        return None
    centre = math.fsum(known) / m
    variance = (m - 1) / m * math.fsum((k - centre) ** 2 for k in known)
    margin = t_quantile(m - 1) * math.sqrt(variance)
    return (max(-1.0, value - margin), min(1.0, value + margin))
