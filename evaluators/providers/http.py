"""A team's own Auto-QA service over HTTP: what decides about people is that service, not the bare model in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import aiohttp

from evaluators.errors import BadReply, JudgeConfigError, TimedOut, Unreachable
from evaluators.evaluation import Usage
from evaluators.provider import Completion, JudgeRequest
from evaluators.providers.connection import Connection, place
from evaluators.providers.http_failures import Failure, error_for, retry_after_of
from evaluators.providers.http_shape import HttpShape, fill_body, picked
from evaluators.providers.loose_json import get_count, get_text
from evaluators.questions.prompt import transcript_text


class HttpProvider:
    """One POST for each evaluation; the reply is put into our own form and read by the same parser as a model's."""

    def __init__(self, connection: Connection) -> None:
        if connection.base_url is None or connection.shape is None:
            raise JudgeConfigError(f"the service {connection.model!r} needs base_url and the table http")
        self._model = connection.model
        self._url = connection.base_url
        self._where = place(connection.base_url)
        self._shape = connection.shape
        self._timeout = aiohttp.ClientTimeout(total=connection.timeout_seconds)
        key = connection.api_key or ""
        self._headers = {name: value.replace("{api_key}", key) for name, value in connection.shape.headers.items()}
        self._session: aiohttp.ClientSession | None = None

    async def complete(self, request: JudgeRequest) -> Completion:
        """One completion, its text in our own form; raises ProviderError where there is none."""
        if self._session is None:
            # Here, since a session belongs to the event loop that it is made in.
            self._session = aiohttp.ClientSession(timeout=self._timeout)
        shape = self._shape
        headers = {**self._headers, "Idempotency-Key": request.idempotency_key}
        body = fill_body(shape.body, _document(request, self._model))
        try:
            async with self._session.post(self._url, json=body, headers=headers) as response:
                content, status, reply_headers = await response.read(), response.status, response.headers
        except TimeoutError:
            raise TimedOut(f"{self._where} gave no reply in time") from None
        except aiohttp.ClientError as error:
            raise Unreachable(
                f"{self._where} can't be reached or broke off ({type(error).__name__}); check that it runs"
            ) from None
        if status != 200:
            words = content[:2000].decode("utf-8", "replace")
            retry_after = retry_after_of(reply_headers)
            raise error_for(Failure(status, self._where, self._model, words, retry_after=retry_after))
        reply = self._read(content)
        refused = bool(picked(shape.refused, reply))
        return Completion(
            text=json.dumps(_in_our_form(shape, reply)),
            stop="refused" if refused else "stop",
            served_model=get_text([picked(shape.served_model, reply)], 0),
            refused=refused,
            usage=Usage(
                input_tokens=get_count([picked(shape.input_tokens, reply)], 0),
                output_tokens=get_count([picked(shape.output_tokens, reply)], 0),
            ),
            request_id=reply_headers.get("x-request-id"),
            characters_sent=request.characters,
        )

    async def aclose(self) -> None:
        """Releases the connections."""
        if self._session is not None:
            await self._session.close()

    def _read(self, content: bytes) -> object:
        try:
            reply: object = json.loads(content)
        except ValueError:
            raise BadReply(f"{self._where} answered with a body that is no JSON", status=200) from None
        return reply


def _document(request: JudgeRequest, model: str) -> Mapping[str, Any]:
    """The request as the body's template sees it."""
    return {
        "evaluation_id": request.idempotency_key,
        "model": model,
        "questions": [
            question.model_dump(mode="json", include={"question_id", "text", "kind", "allow_na"})
            for question in request.questions
        ],
        "turns": [turn.model_dump(mode="json") for turn in request.turns],
        "header": request.header,
        "transcript": transcript_text(request.turns, request.header, header_position=request.header_position),
        "system": request.system,
        "user": request.user,
    }


def _in_our_form(shape: HttpShape, reply: object) -> Mapping[str, object]:
    answers = picked(shape.answers, reply)
    note = {
        "positives": _listed(picked(shape.positives, reply)),
        "positive_score": _points(shape, picked(shape.positive_score, reply)),
        "improvements": _listed(picked(shape.improvements, reply)),
        "improvement_score": _points(shape, picked(shape.improvement_score, reply)),
    }
    if not isinstance(answers, list):
        return {"coaching_note": note}
    return {"answers": [_answer(shape, entry) for entry in answers], "coaching_note": note}


def _answer(shape: HttpShape, entry: object) -> object:
    if not isinstance(entry, dict):
        return entry
    verdict = entry.get("answer")
    word = json.dumps(verdict) if isinstance(verdict, bool) else verdict
    named = shape.verdicts.get(word, verdict) if isinstance(word, str) else verdict
    return {**entry, "answer": named, "confidence": _points(shape, entry.get("confidence"))}


def _points(shape: HttpShape, value: object) -> object:
    """A number on the service's scale as points of 100, other things as they are: the parser judges them."""
    if shape.maximum == 100 or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    # Rounded, so that 0.29 of 1 is 29 and not 28.999999999999996.
    return round(value * 100 / shape.maximum, 9)


def _listed(value: object) -> object:
    return [] if value is None else value
