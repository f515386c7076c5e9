"""The JSON schema of the reply that is asked of the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perturbations.records.transcript import Question

_NOTE_ITEMS = 2
_NOTE_CHARACTERS = 120


def reply_schema(questions: Sequence[Question], *, with_note: bool = True, exact: bool = False) -> Mapping[str, Any]:
    """One entry for each question, where there are any, and a coaching note.

    By default in the subset that every provider's strict mode takes: some refuse ranges and lengths, and the parser
    checks them anyway. `exact` says all there is to say, one entry for each question in their order: for servers that
    make a grammar of the schema, where a small model wouldn't come to an end without.
    """
    points: dict[str, Any] = {"type": "integer", "description": "0 to 100"}
    texts: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
    if exact:
        points = {"type": "integer", "minimum": 0, "maximum": 100}
        texts = {
            "type": "array",
            "items": {"type": "string", "maxLength": _NOTE_CHARACTERS},
            "maxItems": _NOTE_ITEMS,
        }
    note = _object(positives=texts, positive_score=points, improvements=texts, improvement_score=points)
    asked: dict[str, Mapping[str, Any]] = {"coaching_note": note} if with_note else {}
    if not questions:
        return _object(**asked)
    return _object(answers=_each(questions, points) if exact else _any(questions, points), **asked)


def _any(questions: Sequence[Question], points: Mapping[str, Any]) -> dict[str, Any]:
    answer = _object(
        question_id={"type": "string", "enum": [question.question_id for question in questions]},
        answer=_verdict(any(question.allow_na for question in questions)),
        confidence=points,
    )
    return {"type": "array", "items": answer}


def _each(questions: Sequence[Question], points: Mapping[str, Any]) -> dict[str, Any]:
    entries = [
        _object(
            question_id={"type": "string", "enum": [question.question_id]},
            answer=_verdict(question.allow_na),
            confidence=points,
        )
        for question in questions
    ]
    return {"type": "array", "prefixItems": entries, "minItems": len(entries), "maxItems": len(entries)}


def _verdict(allow_na: bool) -> dict[str, Any]:
    return {"type": "string", "enum": ["yes", "no", "na"] if allow_na else ["yes", "no"]}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
