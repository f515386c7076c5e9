"""The JSON schema of the reply that is asked of the judge, in the subset that every provider's strict mode takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perturbations.transcript import Question


def reply_schema(questions: Sequence[Question], *, with_note: bool = True) -> Mapping[str, Any]:
    """One entry for each question, where there are any, and a coaching note.

    Ranges of numbers are left out: some strict modes refuse them, and the parser checks them anyway.
    """
    verdicts = ["yes", "no", "na"] if any(question.allow_na for question in questions) else ["yes", "no"]
    points = {"type": "integer", "description": "0 to 100"}
    texts = {"type": "array", "items": {"type": "string"}}
    note = _object(positives=texts, positive_score=points, improvements=texts, improvement_score=points)
    asked: dict[str, Mapping[str, Any]] = {"coaching_note": note} if with_note else {}
    if not questions:
        return _object(**asked)
    answer = _object(
        question_id={"type": "string", "enum": [question.question_id for question in questions]},
        answer={"type": "string", "enum": verdicts},
        confidence=points,
    )
    return _object(answers={"type": "array", "items": answer}, **asked)


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
