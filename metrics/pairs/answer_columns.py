"""An evaluation's answers as columns: what pairs compare."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import NamedTuple

from evaluators.evaluation import Evaluation
from perturbations.records.transcript import Verdict


class AnswerColumns(NamedTuple):
    """The questions that got an answer, sorted, and beside each its answer, confidence, construct-relevant rows."""

    question_ids: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    confidences: tuple[float | None, ...] = ()
    construct_relevant: tuple[tuple[str, ...], ...] = ()


def answer_columns(evaluation: Evaluation) -> AnswerColumns:
    """The answers that this evaluation gives.

    A question answered twice in one evaluation has none: the two couldn't be told apart.
    """
    times = Counter(answer.question_id for answer in evaluation.answers)
    answered = sorted(
        (answer.question_id, answer.answer, answer.confidence, answer.construct_relevant)
        for answer in evaluation.answers
        if answer.outcome == "ok" and answer.answer is not None and times[answer.question_id] == 1
    )
    return AnswerColumns(*zip(*answered, strict=True)) if answered else AnswerColumns()


def answered_by_both(a: AnswerColumns, b: AnswerColumns) -> tuple[AnswerColumns, AnswerColumns]:
    """Both reduced to the questions that both answer."""
    if a.question_ids == b.question_ids:
        return a, b
    both = set(a.question_ids) & set(b.question_ids)
    return _among(a, both), _among(b, both)


def _among(columns: AnswerColumns, questions: set[str]) -> AnswerColumns:
    kept = [question in questions for question in columns.question_ids]
    return AnswerColumns(
        tuple(compress(columns.question_ids, kept)),
        tuple(compress(columns.verdicts, kept)),
        tuple(compress(columns.confidences, kept)),
        tuple(compress(columns.construct_relevant, kept)),
    )
