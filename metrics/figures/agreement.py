"""Agreement of two raters: with people (accuracy), with production (fidelity), with oneself (repeats)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from evaluators.evaluation import Answer, Evaluation
from metrics.estimators.interval import Interval, t_quantile
from metrics.figures.clusters import clustered
from metrics.figures.estimates import Estimate, give_reasons, rate
from metrics.figures.thresholds import Thresholds
from perturbations.records.reading import OWN
from perturbations.records.transcript import Verdict

Rating = tuple[str, Verdict, Verdict]
"""transcript_id, one rater's verdict, the other's."""

Rater = Callable[[Answer], Verdict | None]
"""Whose verdict on a question is set beside the judge's: None where they gave none."""

_VerdictCounts = Counter[tuple[Verdict, Verdict]]

NO_VARIATION = "both raters always give the same answer: chance agreement is complete"


class QuestionAgreement(BaseModel):
    """Agreement on one question; `disagreeing` are the ids of the transcripts in which the two raters differ."""

    model_config = OWN

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

    model_config = OWN

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
    tables: dict[str, _VerdictCounts] = {}
    for key, a, b in ratings:
        tables.setdefault(key, Counter())[a, b] += 1
    whole: _VerdictCounts = Counter()
    for table in tables.values():
        whole.update(table)
    reason = needed.shortfall(comparisons=sum(whole.values()), transcripts=len(tables))
    if reason is not None:
        return Estimate(reason=reason)
    value = kappa(whole)
    if value is None:
        return Estimate(reason=NO_VARIATION)
    return Estimate(value, _jackknife(value, whole, tables))


def agreement(ratings: Mapping[str, Iterable[Rating]], needed: Thresholds) -> Agreement:
    """Agreement of two raters from their ratings by question."""
    by_question = {question_id: sorted(ratings[question_id]) for question_id in sorted(ratings)}
    whole = _estimates([rating for own in by_question.values() for rating in own], needed)
    return Agreement(
        transcripts=whole.transcripts,
        answers=whole.answers,
        agreements=whole.agreements,
        agreement=whole.share.value,
        interval=whole.share.interval,
        kappa=whole.kappa.value,
        kappa_interval=whole.kappa.interval,
        by_question=tuple(_question(question_id, own, needed) for question_id, own in by_question.items()),
        reasons=whole.reasons(),
    )


def ratings_of(evaluations: Iterable[Evaluation], rater: Rater) -> dict[str, list[Rating]]:
    """The judge's verdicts beside another rater's, by question, where both gave one."""
    ratings: dict[str, list[Rating]] = {}
    for e, answer in answers_of(evaluations):
        verdict = rater(answer)
        if answer.answer is not None and verdict is not None:
            ratings.setdefault(answer.question_id, []).append((e.transcript_id, answer.answer, verdict))
    return ratings


def human_answer(answer: Answer) -> Verdict | None:
    """What a person answered."""
    return answer.human_answer


def production_answer(answer: Answer) -> Verdict | None:
    """What production's own judge answered."""
    return answer.production_answer


def answers_of(evaluations: Iterable[Evaluation]) -> Iterator[tuple[Evaluation, Answer]]:
    """Every answer that these evaluations give, with its evaluation."""
    return ((e, answer) for e in evaluations if e.outcome == "ok" for answer in e.answers if answer.outcome == "ok")


@dataclass(frozen=True)
class _Estimates:
    transcripts: int
    answers: int
    agreements: int
    share: Estimate
    kappa: Estimate

    def reasons(self) -> dict[str, str]:
        return give_reasons({"agreement": self.share.given, "kappa": self.kappa.given})


def _estimates(ratings: Sequence[Rating], needed: Thresholds) -> _Estimates:
    by_transcript = clustered((key, a == b, 1) for key, a, b in ratings)
    return _Estimates(
        transcripts=len(by_transcript),
        answers=len(ratings),
        agreements=sum(a == b for _, a, b in ratings),
        share=rate(by_transcript.values(), needed),
        kappa=kappa_estimate(ratings, needed),
    )


def _question(question_id: str, ratings: Sequence[Rating], needed: Thresholds) -> QuestionAgreement:
    own = _estimates(ratings, needed)
    return QuestionAgreement(
        question_id=question_id,
        transcripts=own.transcripts,
        answers=own.answers,
        agreements=own.agreements,
        agreement=own.share.value,
        interval=own.share.interval,
        kappa=own.kappa.value,
        disagreeing=tuple(sorted({key for key, a, b in ratings if a != b})),
        reasons=own.reasons(),
    )


def _jackknife(value: float, whole: _VerdictCounts, tables: Mapping[str, _VerdictCounts]) -> Interval | None:
    m = len(tables)
    left = [kappa(whole - table) for table in tables.values()]
    known = [k for k in left if k is not None]
    if m < 2 or len(known) < m:
        return None
    centre = math.fsum(known) / m
    variance = (m - 1) / m * math.fsum((k - centre) ** 2 for k in known)
    margin = t_quantile(m - 1) * math.sqrt(variance)
    return (max(-1.0, value - margin), min(1.0, value + margin))
