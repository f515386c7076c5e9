"""Anthropic's messages: translation only, on the official SDK."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from anthropic import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    AsyncAnthropic,
    DefaultAsyncHttpxClient,
)

from evaluators.errors import BadReply, ProviderError, TimedOut, Unreachable
from evaluators.evaluation import Usage
from evaluators.provider import Completion, JudgeRequest, StopReason
from evaluators.providers.adapting import TOOL_NAME, Adaptation, Rejected, send_adapting
from evaluators.providers.capability import Capabilities
from evaluators.providers.connection import Connection, is_loopback, place
from evaluators.providers.http_failures import Failure, error_for, retry_after_of
from evaluators.providers.loose_json import get, get_count, get_text

ANTHROPIC_URL = "https://api.anthropic.com"

SAMPLING_VERSION = "2023-06-01"
"""The newest version of the API that takes temperature and top_p; without them the SDK's own version is asked."""

_STOPS: Mapping[str, StopReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


class AnthropicProvider:
    """Messages of one model at one address; learns from 400s as the OpenAI adapter does."""

    def __init__(self, connection: Connection) -> None:
        url = connection.base_url or ANTHROPIC_URL
        self._model = connection.model
        self._where = place(url)
        self._timeout_seconds = connection.timeout_seconds
        self._capabilities = Capabilities(set(connection.refused))
        # The SDK writes whole requests, transcripts included, at DEBUG.
        logging.getLogger("anthropic").setLevel(logging.INFO)
        self._client = AsyncAnthropic(
            api_key=connection.sdk_key,
            base_url=url,
            max_retries=0,
            http_client=DefaultAsyncHttpxClient(trust_env=False) if is_loopback(url) else None,
        )

    async def complete(self, request: JudgeRequest) -> Completion:
        """One completion; raises ProviderError where there is none."""
        # The output limit is no option here: the API asks for one.
        (reply, request_id), adaptation, requests = await send_adapting(
            request, self._capabilities, (), lambda adaptation: self._send(request, adaptation)
        )
        stop = _STOPS.get(get_text(reply, "stop_reason") or "", "other")
        return Completion(
            text=_text(get(reply, "content")),
            stop=stop,
            served_model=get_text(reply, "model"),
            refused=stop == "refused",
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
        sampling = {name: value for name, value in adaptation.tuned.items() if name != "effort"}
        headers = {"Idempotency-Key": request.idempotency_key}
        if sampling:
            headers["anthropic-version"] = SAMPLING_VERSION
        try:
            raw = await self._client.messages.with_raw_response.create(
                **self._body(request, adaptation),
                extra_headers=headers,
                extra_body=sampling or None,
                timeout=self._timeout_seconds,
            )
        except APIStatusError as error:
            raise self._error(error) from None
        except APITimeoutError:
            raise TimedOut(f"{self._where} gave no reply in time") from None
        except (APIConnectionError, APIError) as error:
            cause = type(error.__cause__ or error).__name__
            raise Unreachable(
                f"{self._where} can't be reached or broke off ({cause}); check that it runs and the base_url"
            ) from None
        return self._read(raw.http_response.content), raw.headers.get("request-id")

    def _body(self, request: JudgeRequest, adaptation: Adaptation) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": request.max_output_tokens,
            "system": request.system,
            "messages": [{"role": "user", "content": request.user}],
        }
        output: dict[str, Any] = {}
        if "effort" in adaptation.tuned:
            output["effort"] = adaptation.tuned["effort"]
        if adaptation.mode == "schema":
            output["format"] = {"type": "json_schema", "schema": request.schema}
        elif adaptation.mode == "tool":
            body["tools"] = [{"name": TOOL_NAME, "input_schema": request.schema}]
            body["tool_choice"] = {"type": "tool", "name": TOOL_NAME, "disable_parallel_tool_use": True}
        if output:
            body["output_config"] = output
        return body

    def _error(self, error: APIStatusError) -> ProviderError | Rejected:
        words = error.api_message or error.response.text[:2000]
        error_meant = error_for(
            Failure(
                status=error.status_code,
                where=self._where,
                model=self._model,
                message=words,
                code=error.error_code or error.type,
                retry_after=retry_after_of(error.response.headers),
            )
        )
        if error.status_code not in (400, 422):
            return error_meant
        return Rejected(error_meant, named=None, words=words)

    def _read(self, content: bytes) -> Mapping[str, object]:
        try:
            reply = json.loads(content)
        except ValueError:
            reply = None
        if isinstance(reply, dict) and isinstance(get(reply, "content"), list):
            return reply
        raise BadReply(
            f"{self._where} answered with a body that is no message; check the base_url (without /v1)", status=200
        )


def _text(content: object) -> str:
    """The tool's input as JSON where the tool was called, else the text; thinking is left out."""
    blocks = content if isinstance(content, list) else []
    # Two calls are two objects, and are read as such.
    calls = [json.dumps(get(block, "input")) for block in blocks if get(block, "type") == "tool_use"]
    texts = (get(block, "text") for block in blocks if get(block, "type") == "text")
    return "\n".join(calls) if calls else "".join(text for text in texts if isinstance(text, str))


def usage_of(usage: object) -> Usage:
    """Anthropic counts tokens read from and written to its cache beside the input's, thinking within the output's."""
    fresh = get_count(usage, "input_tokens")
    cached = get_count(usage, "cache_read_input_tokens")
    written = get_count(usage, "cache_creation_input_tokens")
    return Usage(
        input_tokens=None if fresh is None else fresh + (cached or 0) + (written or 0),
        cached_tokens=cached,
        output_tokens=get_count(usage, "output_tokens"),
        reasoning_tokens=get_count(usage, "output_tokens_details", "thinking_tokens"),
    )
