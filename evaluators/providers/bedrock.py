"""Bedrock's converse: translation only, on boto3, which blocks and so gets threads of its own."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Any

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    NoCredentialsError,
    PartialCredentialsError,
    ReadTimeoutError,
)
from botocore.parsers import ResponseParserError

from evaluators.errors import AuthError, BadReply, JudgeConfigError, ProviderError, TimedOut, Unreachable
from evaluators.evaluation import Usage
from evaluators.provider import Completion, JudgeRequest, StopReason
from evaluators.providers.adapting import TOOL_NAME, Adaptation, Rejected, send_adapting
from evaluators.providers.capability import Capabilities
from evaluators.providers.connection import Connection, is_loopback, place
from evaluators.providers.http_failures import Failure, error_for, retry_after_of
from evaluators.providers.loose_json import get, get_count, get_text

_STOPS: Mapping[str, StopReason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "refused",
    "content_filtered": "refused",
}
_STATUSES = {
    "AccessDeniedException": 403,
    "UnrecognizedClientException": 403,
    "ExpiredTokenException": 403,
    "ResourceNotFoundException": 404,
    "ModelTimeoutException": 408,
    "ModelNotReadyException": 429,
    "ThrottlingException": 429,
    "ServiceQuotaExceededException": 429,
    "InternalServerException": 500,
    "ServiceUnavailableException": 503,
}
_INFERENCE = {"temperature": "temperature", "top_p": "topP"}

_KEY: ContextVar[str] = ContextVar("idempotency_key")


class BedrockProvider:
    """Converse with one model in one region; learns from refusals as the other adapters do.

    Credentials come from where AWS's own chain finds them. As many threads wait for replies as the connection's
    `concurrency` says.
    """

    def __init__(self, connection: Connection) -> None:
        self._model = connection.model
        self._capabilities = Capabilities(set(connection.refused))
        # botocore writes whole requests, transcripts included, at DEBUG.
        logging.getLogger("botocore").setLevel(logging.INFO)
        base_url = connection.base_url
        config = Config(
            connect_timeout=min(10.0, connection.timeout_seconds),
            read_timeout=connection.timeout_seconds,
            retries={"total_max_attempts": 1},
            max_pool_connections=connection.concurrency,
            proxies={} if base_url and is_loopback(base_url) else None,
        )
        session = boto3.session.Session()
        if session.get_credentials() is None and base_url is not None:
            # An endpoint of one's own, such as a gateway, may need no signature.
            config = config.merge(Config(signature_version=UNSIGNED))
        try:
            self._client = session.client(
                "bedrock-runtime", region_name=connection.region, endpoint_url=base_url, config=config
            )
        except (BotoCoreError, ValueError) as error:
            raise JudgeConfigError(
                f"Bedrock can't be asked for {connection.model!r} ({type(error).__name__}); set the judge's region"
            ) from None
        self._where = place(self._client.meta.endpoint_url)
        self._client.meta.events.register("before-call.bedrock-runtime.Converse", _add_key)
        self._threads = ThreadPoolExecutor(connection.concurrency, thread_name_prefix="bedrock")

    async def complete(self, request: JudgeRequest) -> Completion:
        """One completion; raises ProviderError where there is none."""
        reply, adaptation, requests = await send_adapting(
            request, self._capabilities, ("maxTokens",), lambda adaptation: self._send(request, adaptation)
        )
        stop = _STOPS.get(get_text(reply, "stopReason") or "", "other")
        return Completion(
            text=_text(get(reply, "output", "message", "content")),
            stop=stop,
            # Converse names the model that served only where a router chose it.
            served_model=get_text(reply, "trace", "promptRouter", "invokedModelId"),
            refused=stop == "refused",
            usage=usage_of(get(reply, "usage")),
            request_id=get_text(reply, "ResponseMetadata", "RequestId"),
            characters_sent=request.characters,
            parameters=adaptation.effective,
            requests=requests,
        )

    async def aclose(self) -> None:
        """Releases the connections; a call under way in a thread ends at its own time limit."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    async def _send(self, request: JudgeRequest, adaptation: Adaptation) -> Mapping[str, object]:
        body = self._body(request, adaptation)
        context = copy_context()
        context.run(_KEY.set, request.idempotency_key)
        loop = asyncio.get_running_loop()
        try:
            reply: object = await loop.run_in_executor(
                self._threads, lambda: context.run(self._client.converse, **body)
            )
        except ClientError as error:
            raise self._error(error) from None
        except (ReadTimeoutError, ConnectTimeoutError):
            raise TimedOut(f"{self._where} gave no reply in time") from None
        except (NoCredentialsError, PartialCredentialsError):
            raise AuthError("no AWS credentials were found; set them as for any AWS client") from None
        except (ResponseParserError, AttributeError, TypeError):
            # botocore's parser stumbles over JSON of another shape.
            raise BadReply(f"{self._where} answered with a body that is no reply of converse") from None
        except BotoCoreError as error:
            raise Unreachable(
                f"{self._where} can't be reached or broke off ({type(error).__name__}); check region and base_url"
            ) from None
        if isinstance(reply, dict) and isinstance(get(reply, "output", "message", "content"), list):
            return reply
        raise BadReply(f"{self._where} answered with a body that is no reply of converse", status=200)

    def _body(self, request: JudgeRequest, adaptation: Adaptation) -> dict[str, Any]:
        inference: dict[str, Any] = {
            name: adaptation.tuned[ours] for ours, name in _INFERENCE.items() if ours in adaptation.tuned
        }
        if adaptation.limit_field is not None:
            inference[adaptation.limit_field] = request.max_output_tokens
        body: dict[str, Any] = {
            "modelId": self._model,
            "system": [{"text": request.system}],
            "messages": [{"role": "user", "content": [{"text": request.user}]}],
            "inferenceConfig": inference,
        }
        output: dict[str, Any] = {}
        if "effort" in adaptation.tuned:
            output["effort"] = adaptation.tuned["effort"]
        if adaptation.mode == "schema":
            schema = {"name": TOOL_NAME, "schema": json.dumps(request.schema)}
            output["textFormat"] = {"type": "json_schema", "structure": {"jsonSchema": schema}}
        elif adaptation.mode == "tool":
            tool = {"name": TOOL_NAME, "inputSchema": {"json": request.schema}}
            body["toolConfig"] = {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": TOOL_NAME}}}
        if output:
            body["outputConfig"] = output
        return body

    def _error(self, error: ClientError) -> ProviderError | Rejected:
        response: Mapping[str, object] = error.response
        code = get_text(response, "Error", "Code") or ""
        words = get(response, "Error", "Message")
        words = words if isinstance(words, str) else ""
        headers = get(response, "ResponseMetadata", "HTTPHeaders")
        status = _STATUSES.get(code) or get_count(response, "ResponseMetadata", "HTTPStatusCode") or 500
        failure = Failure(
            status=status,
            where=self._where,
            model=self._model,
            message=words,
            code=code,
            retry_after=retry_after_of(headers) if isinstance(headers, dict) else None,
        )
        error_meant = error_for(failure)
        return Rejected(error_meant, named=None, words=words) if status in (400, 422) else error_meant


def _add_key(params: dict[str, Any], **_: object) -> None:
    params["headers"]["Idempotency-Key"] = _KEY.get()


def _text(content: object) -> str:
    """The tool's input as JSON where the tool was called, else the text; reasoning is left out."""
    blocks = content if isinstance(content, list) else []
    # Two calls are two objects, and are read as such.
    calls = [json.dumps(get(block, "toolUse", "input")) for block in blocks if get(block, "toolUse") is not None]
    texts = (get(block, "text") for block in blocks)
    return "\n".join(calls) if calls else "".join(text for text in texts if isinstance(text, str))


def usage_of(usage: object) -> Usage:
    """Bedrock counts tokens read from and written to the cache beside the input's."""
    fresh = get_count(usage, "inputTokens")
    cached = get_count(usage, "cacheReadInputTokens")
    written = get_count(usage, "cacheWriteInputTokens")
    return Usage(
        input_tokens=None if fresh is None else fresh + (cached or 0) + (written or 0),
        cached_tokens=cached,
        output_tokens=get_count(usage, "outputTokens"),
    )
