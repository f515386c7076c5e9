"""The four protocols that judges speak, as bodies of replies for the loopback server."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evaluators.providers.http_shape import HttpShape
from tests.evaluators.fake_openai import Body, Reply, completion, failure

SHAPE = HttpShape(
    headers={"Authorization": "Token {api_key}", "X-Tenant": "qa"},
    body={"conversation": "{turns[].{role: speaker, content: text}}", "form": "{questions[].question_id}", "v": 2},
    answers="results[].{question_id: id, answer: verdict, confidence: certainty}",
    verdicts={"pass": "yes", "fail": "no", "true": "yes", "false": "no"},
    maximum=1,
    positives="coaching.good",
    positive_score="coaching.good_score",
    improvements="coaching.bad",
    improvement_score="coaching.bad_score",
    refused="status == 'declined'",
    served_model="engine.version",
    input_tokens="engine.tokens_in",
    output_tokens="engine.tokens_out",
)


@dataclass(frozen=True)
class Protocol:
    """How one provider says things.

    `reply` takes the text, why the model stopped (stop, length, refused) and whether usage is told: 1,000 input
    tokens of which 400 were cached, 90 output tokens. `error` takes a status and a message.
    """

    name: str
    config: dict[str, Any]
    path: str
    reply: Callable[[str, str, bool], Reply]
    error: Callable[[int, str], Reply]
    limit: Callable[[Body], int]
    schema_key: str


def _openai(text: str, stop: str, usage: bool) -> Reply:
    counted = {
        "prompt_tokens": 1000,
        "completion_tokens": 90,
        "total_tokens": 1090,
        "prompt_tokens_details": {"cached_tokens": 400},
    }
    finish = {"refused": "content_filter"}.get(stop, stop)
    return Reply(body=completion(text, finish=finish, usage=counted if usage else None, model="served-1"))


def _anthropic(text: str, stop: str, usage: bool) -> Reply:
    counted = {
        "input_tokens": 500,
        "cache_read_input_tokens": 400,
        "cache_creation_input_tokens": 100,
        "output_tokens": 90,
    }
    reason = {"stop": "end_turn", "length": "max_tokens", "refused": "refusal"}[stop]
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "served-1",
        "content": [{"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "text", "text": text}],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": counted if usage else None,
    }
    return Reply(body=body, headers={"request-id": "req_1"})


def _bedrock(text: str, stop: str, usage: bool) -> Reply:
    counted = {
        "inputTokens": 500,
        "cacheReadInputTokens": 400,
        "cacheWriteInputTokens": 100,
        "outputTokens": 90,
        "totalTokens": 1090,
    }
    reason = {"stop": "end_turn", "length": "max_tokens", "refused": "content_filtered"}[stop]
    body: Body = {
        "output": {
            "message": {
                "role": "assistant",
                "content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}}, {"text": text}],
            }
        },
        "stopReason": reason,
        "metrics": {"latencyMs": 1},
        "trace": {"promptRouter": {"invokedModelId": "served-1"}},
    }
    return Reply(body={**body, "usage": counted} if usage else body)


def _anthropic_error(status: int, message: str) -> Reply:
    return Reply(status, {"type": "error", "error": {"type": "some_error", "message": message}})


_CODES = {400: "ValidationException", 401: "UnrecognizedClientException", 403: "AccessDeniedException"}
_CODES |= {404: "ResourceNotFoundException", 408: "ModelTimeoutException", 429: "ThrottlingException"}
_CODES |= {500: "InternalServerException", 503: "ServiceUnavailableException"}


def _bedrock_error(status: int, message: str) -> Reply:
    code = _CODES.get(status, "SomethingException")
    return Reply(status, {"message": message}, {"x-amzn-ErrorType": code})


def service_reply(text: str) -> Body:
    """The own service's reply that says what `text` says in our form."""
    said = json.loads(text)
    note = said["coaching_note"]
    return {
        "status": "done",
        "results": [
            {
                "id": entry["question_id"],
                "verdict": {"yes": "pass", "no": False}.get(entry["answer"], entry["answer"]),
                "certainty": entry["confidence"] / 100,
            }
            for entry in said["answers"]
        ],
        "coaching": {
            "good": note["positives"],
            "good_score": note["positive_score"] / 100,
            "bad": note["improvements"],
            "bad_score": note["improvement_score"] / 100,
        },
        "engine": {"version": "served-1", "tokens_in": 1000, "tokens_out": 90},
    }


OPENAI = Protocol(
    "openai",
    {},
    "/v1/chat/completions",
    _openai,
    lambda status, message: Reply(status, failure(message)),
    lambda body: int(body["max_completion_tokens"]),
    "response_format",
)
ANTHROPIC = Protocol(
    "anthropic",
    {},
    "/v1/messages",
    _anthropic,
    _anthropic_error,
    lambda body: int(body["max_tokens"]),
    "output_config",
)
BEDROCK = Protocol(
    "bedrock",
    {"region": "us-east-1"},
    "/model/judge-x/converse",
    _bedrock,
    _bedrock_error,
    lambda body: int(body["inferenceConfig"]["maxTokens"]),
    "outputConfig",
)
MODELS = (OPENAI, ANTHROPIC, BEDROCK)
