"""How a team's own Auto-QA service is asked over HTTP, as data: a body template, and where the answers stand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from perturbations.records.transcript import Verdict

_HOLE = re.compile(r"\{(.+)\}", re.DOTALL)

_SAMPLE: Mapping[str, Any] = {
    "evaluation_id": "id",
    "model": "model",
    "questions": [{"question_id": "q", "text": "text", "kind": "subjective", "allow_na": False}],
    "turns": [{"speaker": "agent", "text": "text"}],
    "header": "header",
    "transcript": "header\n\n[agent] text",
    "system": "system",
    "user": "user",
}
"""A request as the template sees it."""


class HttpShape(BaseModel):
    """The service's request and reply.

    In `body` a string that is `{EXPRESSION}` becomes what the JMESPath expression picks out of the request:
    `evaluation_id`, `model`, `questions`, `turns`, `header` (null without one), `transcript` (header and turns as
    text), `system` and `user` (our own prompts). Everything else stands as it is. In `headers`, `{api_key}` becomes
    the key.

    The other expressions pick from the reply. `answers` gives a list of `{question_id, answer, confidence}`;
    `verdicts` says which of the service's own words for an answer mean yes, no and na (`true` and `false` are words
    too). `has_confidence` false: the service gives none. `maximum` is the top of its scale, 100 or 1, say.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    headers: dict[str, str] = Field(default_factory=dict)
    body: dict[str, JsonValue]
    answers: str
    verdicts: dict[str, Verdict] = Field(default_factory=dict)
    has_confidence: bool = True
    maximum: Annotated[float, Field(gt=0)] = 100.0
    positives: str | None = None
    positive_score: str | None = None
    improvements: str | None = None
    improvement_score: str | None = None
    refused: str | None = None
    served_model: str | None = None
    input_tokens: str | None = None
    output_tokens: str | None = None

    @field_validator(
        "answers",
        "positives",
        "positive_score",
        "improvements",
        "improvement_score",
        "refused",
        "served_model",
        "input_tokens",
        "output_tokens",
    )
    @classmethod
    def _compiles(cls, expression: str | None) -> str | None:
        if expression is not None:
            _compiled(expression)
        return expression

    @field_validator("body", mode="before")
    @classmethod
    def _from_text(cls, body: Any) -> Any:
        if not isinstance(body, str):
            return body
        try:
            return json.loads(body)
        except ValueError as error:
            raise ValueError(f"is text but no JSON: {error}") from None

    @field_validator("body")
    @classmethod
    def _holes_are_known(cls, body: dict[str, JsonValue]) -> dict[str, JsonValue]:
        holes = 0
        for expression in _expressions(body):
            holes += 1
            if _search(expression, _SAMPLE) is None:
                raise ValueError(f"{{{expression}}} picks nothing; the request has {', '.join(_SAMPLE)}")
        if not holes:
            raise ValueError(
                'nothing of the transcript is in it; put "{turns}" or "{transcript}" where the text goes'
            )
        return body


def fill_body(body: dict[str, JsonValue], request: Mapping[str, Any]) -> Any:
    """The body with every hole filled from the request."""
    return _filled(body, request)


def picked(expression: str | None, reply: object) -> object:
    """What the expression picks from the reply; None where there is none, or where it can't be applied."""
    return None if expression is None else _search(expression, reply)


def _filled(value: Any, request: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, request) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, request) for inner in value]
    hole = _HOLE.fullmatch(value) if isinstance(value, str) else None
    return value if hole is None else _search(hole[1], request)


def _expressions(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [expression for inner in value.values() for expression in _expressions(inner)]
    if isinstance(value, list):
        return [expression for inner in value for expression in _expressions(inner)]
    hole = _HOLE.fullmatch(value) if isinstance(value, str) else None
    return [] if hole is None else [hole[1]]


def _search(expression: str, data: object) -> object:
    try:
        return _compiled(expression).search(data)
    except JMESPathError:
        return None


def _compiled(expression: str) -> Any:
    # jmespath keeps what it has compiled.
    try:
        return jmespath.compile(expression)
    except JMESPathError as error:
        raise ValueError(f"{expression!r} is no JMESPath expression: {str(error).splitlines()[0]}") from None
