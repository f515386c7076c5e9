"""The shapes of OpenAI's chat completions: what a request holds, what a reply looks like. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from evaluators.simulated.reply_draw import Reply
from perturbations.records.hashing import digest

REFUSAL = "I can't assess this conversation."


class InvalidRequest(Exception):
    """A request that the server answers with 400; the message says what is wrong without repeating any text."""


def user_text(body: Mapping[str, Any]) -> str:
    """The text of the last user message. Raises InvalidRequest where there is none, or for a stream."""
    if body.get("stream"):
        raise InvalidRequest("stream is not supported")
    messages = body.get("messages")
    if not isinstance(messages, list):
        raise InvalidRequest("messages must be a list")
    texts = [_text(message) for message in messages if isinstance(message, dict) and message.get("role") == "user"]
    if not texts:
        raise InvalidRequest("messages must hold one of the user")
    return texts[-1]


def completion(body: Mapping[str, Any], reply: Reply | None, served_model: str) -> dict[str, object]:
    """The reply as a chat completion: in a tool call where the request forces a tool, else as the message's content.

    None is a refusal. A reply that is longer than the request's token limit is cut off, as a real judge's is. Tokens
    are counted as four characters each.
    """
    prompt_tokens = _tokens("".join(_text(m) for m in body["messages"] if isinstance(m, dict)))
    content = REFUSAL if reply is None else json.dumps(reply.as_json(), ensure_ascii=False)
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    cut_off = False
    if isinstance(limit, int):
        cut_off, content = _tokens(content) > limit, content[: 4 * limit]
    message, finish_reason = _message(content, _forced_tool(body), refused=reply is None)
    completion_tokens = _tokens(content)
    return {
        # The same request gets the same bytes, the id included.
        "id": f"chatcmpl-{digest(content, prompt_tokens)}",
        "object": "chat.completion",
        "created": 0,
        "model": served_model,
        "choices": [
            {
                "index": 0,
                "message": message,
                "logprobs": None,
                "finish_reason": "length" if cut_off else finish_reason,
            }
        ],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }


def models(served_model: str) -> dict[str, object]:
    """The list of models: the one that answers, whatever model a request names."""
    return {
        "object": "list",
        "data": [{"id": served_model, "object": "model", "created": 0, "owned_by": "evenhand"}],
    }


def error_body(message: str) -> dict[str, object]:
    """An error in OpenAI's shape."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def _message(content: str, tool: str | None, *, refused: bool) -> tuple[dict[str, object], str]:
    message: dict[str, object] = {"role": "assistant", "content": content, "refusal": None}
    if refused:
        return message | {"content": None, "refusal": content}, "stop"
    if tool is None:
        return message, "stop"
    call = {"id": f"call_{digest(content)}", "type": "function", "function": {"name": tool, "arguments": content}}
    return message | {"content": None, "tool_calls": [call]}, "tool_calls"


def _forced_tool(body: Mapping[str, Any]) -> str | None:
    choice = body.get("tool_choice")
    if isinstance(choice, dict):
        name = choice.get("function", {}).get("name")
        return name if isinstance(name, str) else None
    return None


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _tokens(text: str) -> int:
    return -(-len(text) // 4)
