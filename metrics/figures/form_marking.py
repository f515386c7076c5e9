"""What the answers are worth on the form: weights, auto-fail questions, pass mark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

from evaluators.questions.rubric import Form
from metrics.pairs.pair import Pair
from perturbations.records.transcript import Verdict

PASS_MARK = 75.0
"""Percent of the weights that passes where no form says otherwise."""


@dataclass(frozen=True)
class FormMarking:
    """How a form is marked. A question that has no weight here counts 1; `pass_mark` is in percent of the weights."""

    weights: Mapping[str, float] = field(default_factory=dict)
    auto_fail: frozenset[str] = frozenset()
    pass_mark: float = PASS_MARK


EQUAL_WEIGHTS = FormMarking()
"""All questions count the same and none fails the form alone."""


@dataclass(frozen=True)
class FormMarks:
    """Both arms' form scores, in percent of the weights answered, and whether they pass."""

    score_a: float
    score_b: float
    passed_a: bool
    passed_b: bool


def form_marking(form: Form) -> FormMarking:
    """How this form is marked."""
    return FormMarking(
        weights={question.question_id: question.weight for question in form.questions},
        auto_fail=frozenset(question.question_id for question in form.questions if question.auto_fail),
        pass_mark=form.pass_mark,
    )


def form_marks(pair: Pair, marking: FormMarking) -> FormMarks | None:
    """Both arms' marks over the questions that both answered; None where either has nothing that counts.

    `na` counts neither for nor against. A `no` to an auto-fail question fails the form and leaves its score.
    """
    a = _mark(pair.question_ids, pair.answers_a, marking)
    b = _mark(pair.question_ids, pair.answers_b, marking)
    return None if a is None or b is None else FormMarks(a[0], b[0], a[1], b[1])


def _mark(question_ids: Sequence[str], answers: Sequence[Verdict], marking: FormMarking) -> tuple[float, bool] | None:
    if marking.weights:
        total = _weight(question_ids, [answer != "na" for answer in answers], marking)
        of_yes = _weight(question_ids, [answer == "yes" for answer in answers], marking)
    else:
        total, of_yes = float(len(answers) - answers.count("na")), float(answers.count("yes"))
    if total == 0:
        return None
    score = 100 * of_yes / total
    failed = bool(marking.auto_fail) and any(
        answer == "no" and question_id in marking.auto_fail
        for question_id, answer in zip(question_ids, answers, strict=True)
    )
    return score, score >= marking.pass_mark and not failed


def _weight(question_ids: Sequence[str], counted: Sequence[bool], marking: FormMarking) -> float:
    return math.fsum(marking.weights.get(question_id, 1.0) for question_id in compress(question_ids, counted))
