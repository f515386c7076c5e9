"""Small records for tests, with everything irrelevant filled in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from evaluators.evaluation import Answer, Evaluation
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import pair_evaluations
from perturbations.records.transcript import Question, Transcript, Turn, Verdict
from perturbations.rows import ORIGINAL, ROBUSTNESS

_VERDICTS: dict[str, Verdict | None] = {"y": "yes", "n": "no", "a": "na", "-": None}


def make_transcript(
    transcript_id: str = "c-1",
    *turns: tuple[str, str],
    agent: dict[str, Any] | None = None,
    customer: dict[str, Any] | None = None,
    questions: Sequence[Question] = (),
    **fields: Any,
) -> Transcript:
    """A transcript; turns are (speaker, text), a short call between Michael Reyes and Ana Diaz by default."""
    spoken = turns or (
        ("agent", "Hello, this is Michael. How can I help you?"),
        ("customer", "My card was declined, Michael."),
        ("agent", "I'm sorry about that, ma'am. Please give me a moment."),
        ("customer", "Thank you."),
    )
    return Transcript(
        transcript_id=transcript_id,
        turns=tuple(Turn.model_validate({"speaker": speaker, "text": text}) for speaker, text in spoken),
        agent={"name": "Michael Reyes", "gender": "male"} if agent is None else agent,
        customer={"name": "Ana Diaz"} if customer is None else customer,
        questions=tuple(questions),
        **fields,
    )


def make_answers(
    letters: str,
    *,
    confidences: Sequence[float | None] | float | None = 80.0,
    human: str = "",
    production: str = "",
    construct_relevant: dict[str, tuple[str, ...]] | None = None,
) -> tuple[Answer, ...]:
    """Answers q1, q2, ... from letters: `y`, `n`, `a` (na), `-` (unparsed); `human` and `production` likewise."""
    answers = []
    for i, letter in enumerate(letters):
        question_id = f"q{i + 1}"
        confidence = confidences[i] if isinstance(confidences, Sequence) else confidences
        answers.append(
            Answer(
                question_id=question_id,
                answer=_VERDICTS[letter],
                confidence=None if letter == "-" else confidence,
                outcome="unparsed" if letter == "-" else "ok",
                construct_relevant=(construct_relevant or {}).get(question_id, ()),
                human_answer=_VERDICTS[human[i]] if human else None,
                production_answer=_VERDICTS[production[i]] if production else None,
            )
        )
    return tuple(answers)


def make_evaluation(
    transcript_id: str = "c-1",
    row: str = ROBUSTNESS,
    attribute: str = ORIGINAL,
    answers: str | Sequence[Answer] = "yn",
    **fields: Any,
) -> Evaluation:
    """An evaluation, `ok` unless said otherwise; answers as letters (see `make_answers`) or as records."""
    fields.setdefault("outcome", "ok")
    fields.setdefault("positive_score", 70.0)
    fields.setdefault("improvement_score", 40.0)
    made = make_answers(answers) if isinstance(answers, str) else tuple(answers)
    return Evaluation(
        transcript_id=transcript_id,
        row=row,
        attribute=attribute,
        answers=made if fields["outcome"] == "ok" else (),
        **fields,
    )


def make_pair(
    answers_a: str = "yn",
    answers_b: str = "yn",
    *,
    transcript_id: str = "c-1",
    row: str = "agent_gender",
    arm_a: str = "male",
    arm_b: str = "female",
    a: dict[str, Any] | None = None,
    b: dict[str, Any] | None = None,
    **fields: Any,
) -> Pair:
    """The pair of two arms from their answers as letters; `a` and `b` set fields of one arm's evaluation.

    `robustness` gives the pair of repeats 0 and 1; arms that are equal give a placebo pair; arm_a `original` gives
    the pair with the original.
    """
    first: dict[str, Any] = {"row": row, "attribute": arm_a, **(a or {})}
    second: dict[str, Any] = {"row": row, "attribute": arm_b, **(b or {})}
    if row == ROBUSTNESS:
        arm_a = arm_b = ORIGINAL
        first |= {"attribute": ORIGINAL}
        second |= {"attribute": ORIGINAL, "repeat": 1}
    elif arm_a == arm_b:
        second |= {"draw": 1}
    for arm in (first, second):
        if arm["attribute"] in (ORIGINAL, "none"):
            arm |= {"row": ROBUSTNESS, "attribute": ORIGINAL}
    pairs = pair_evaluations(
        [
            make_evaluation(transcript_id, answers=answers_a, **(fields | first)),
            make_evaluation(transcript_id, answers=answers_b, **(fields | second)),
        ]
    )
    return next(pair for pair in pairs if pair.row == row and {pair.arm_a, pair.arm_b} == {arm_a, arm_b})


def at(text: str) -> datetime:
    """A moment from ISO 8601, as `at("2026-11-30T12:00:00Z")`."""
    return datetime.fromisoformat(text)
