"""OpenAI and every endpoint that speaks its chat completions: translation only, on the official SDK."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, AsyncOpenAI, DefaultAsyncHttpxClient

from evaluators.errors import BadReply, ProviderError, TimedOut, Unreachable
from evaluators.evaluation import Usage
from evaluators.provider import Completion, JudgeRequest, StopReason
from evaluators.providers.adapting import TOOL_NAME, Adaptation, Rejected, send_adapting
from evaluators.providers.capability import Capabilities
from evaluators.providers.connection import Connection, is_loopback, place
from evaluators.providers.http_failures import Failure, error_for, retry_after_of
from evaluators.providers.loose_json import get, get_count, get_text, joined_text

OPENAI_URL = "https://api.openai.com/v1"

_STOPS: Mapping[str, StopReason] = {
    "stop": "stop",
    "tool_calls": "stop",
    "function_call": "stop",
    "length": "length",
    "content_filter": "refused",
}
_LIMIT_FIELDS = ("max_completion_tokens", "max_tokens")
_NAMES = {"effort": "reasoning_effort"}
_FILTERED: Mapping[str, object] = {"choices": [{"finish_reason": "content_filter", "message": {}}]}


class OpenAIProvider:
    """Chat completions of one model at one address.

    A 400 that names a parameter, or the way of asking for JSON, is answered by asking without it; what is learned
    so holds for the object's life.
    """

    def __init__(self, connection: Connection) -> None:
        url = connection.base_url or OPENAI_URL
        self._model = connection.model
        self._where = place(url)
        self._capabilities = Capabilities(set(connection.refused))
        # The SDK writes whole requests, transcripts included, at DEBUG.
        logging.getLogger("openai").setLevel(logging.INFO)
        self._client = AsyncOpenAI(
            api_key=connection.sdk_key,
            base_url=url,
            timeout=connection.timeout_seconds,
            max_retries=0,
            http_client=DefaultAsyncHttpxClient(trust_env=False) if is_loopback(url) else None,
        )

    async def complete(self, request: JudgeRequest) -> Completion:
        """One completion; raises ProviderError where there is none."""
        (reply, request_id), adaptation, requests = await send_adapting(
            request, self._capabilities, _LIMIT_FIELDS, lambda adaptation: self._send(request, adaptation)
        )
        message = get(reply, "choices", 0, "message")
        reason = get_text(reply, "choices", 0, "finish_reason")
        refused = reason == "content_filter" or bool(get_text(message, "refusal"))
        return Completion(
            text=_text(message),
            stop="refused" if refused else _STOPS.get(reason or "", "other"),
            served_model=get_text(reply, "model"),
            refused=refused,
            usage=usage_of(get(reply, "usage")),
            request_id=request_id,
            characters_sent=request.characters,
            parameters=adaptation.effective,
            requests=requests,
        )

    async def aclose(self) -> None:
        """Releases the connections."""
        await self._client.close()

    async def _send(self, request: JudgeRequest, adaptation: Adaptation) -> tuple[Mapping[str, object], str | None]:
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                **self._body(request, adaptation), extra_headers={"Idempotency-Key": request.idempotency_key}
            )
        except APIStatusError as error:
            if _is_filtered(error):
                return _FILTERED, error.request_id
            raise self._error(error) from None
        except APITimeoutError:
            raise TimedOut(f"{self._where} gave no reply in time") from None
        except (APIConnectionError, APIError) as error:
            cause = type(error.__cause__ or error).__name__
            raise Unreachable(
                f"{self._where} can't be reached or broke off ({cause}); check that it runs and the base_url"
            ) from None
        return self._read(raw.content, retry_after_of(raw.headers)), raw.request_id

    def _body(self, request: JudgeRequest, adaptation: Adaptation) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}],
        }
        body.update({_NAMES.get(name, name): value for name, value in adaptation.tuned.items()})
        if adaptation.limit_field is not None:
            body[adaptation.limit_field] = request.max_output_tokens
        if adaptation.mode == "schema":
            schema = {"name": TOOL_NAME, "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif adaptation.mode == "tool":
            function = {"name": TOOL_NAME, "strict": True, "parameters": request.schema}
            body["tools"] = [{"type": "function", "function": function}]
            body["tool_choice"] = {"type": "function", "function": {"name": TOOL_NAME}}
        return body

    def _error(self, error: APIStatusError) -> ProviderError | Rejected:
        words = _words(error)
        error_meant = error_for(
            Failure(
                status=error.status_code,
                where=self._where,
                model=self._model,
                message=words,
                code=error.code or get_text(error.body, "type"),
                retry_after=retry_after_of(error.response.headers),
            )
        )
        if error.status_code not in (400, 422):
            return error_meant
        return Rejected(error_meant, named=error.param if isinstance(error.param, str) else None, words=words)

    def _read(self, content: bytes, retry_after: str | None) -> Mapping[str, object]:
        try:
            reply = json.loads(content)
        except ValueError:
            reply = None
        if isinstance(reply, dict) and isinstance(get(reply, "choices", 0, "message"), dict):
            return reply
        status = get_count(reply, "error", "code")
        if status is not None and 400 <= status < 600:
            # Routers report the failure of the model behind them in a success.
            words = get_text(reply, "error", "message") or ""
            raise error_for(Failure(status, self._where, self._model, words, retry_after=retry_after))
        raise BadReply(
            f"{self._where} answered with a body that is no chat completion; check the base_url (with /v1)",
            status=200,
        )


def _words(error: APIStatusError) -> str:
    # Some servers put their message at other places than the SDK looks at.
    message = get(error.body, "message")
    return message if isinstance(message, str) else error.response.text[:2000]


def _is_filtered(error: APIStatusError) -> bool:
    inner = get_text(error.body, "innererror", "code")
    return error.status_code == 400 and (error.code == "content_filter" or inner == "ResponsibleAIPolicyViolation")


def _text(message: object) -> str:
    calls = get(message, "tool_calls")
    if isinstance(calls, list) and calls:
        # Two calls are two objects, and are read as such.
        arguments = (get(call, "function", "arguments") for call in calls)
        return "\n".join(text if isinstance(text, str) else json.dumps(text) for text in arguments)
    return joined_text(get(message, "content"))


def usage_of(usage: object) -> Usage:
    """OpenAI counts cached tokens within the prompt's and reasoning tokens within the completion's."""
    return Usage(
        input_tokens=get_count(usage, "prompt_tokens"),
        cached_tokens=get_count(usage, "prompt_tokens_details", "cached_tokens"),
        output_tokens=get_count(usage, "completion_tokens"),
        reasoning_tokens=get_count(usage, "completion_tokens_details", "reasoning_tokens"),
    )
