"""A loopback server that speaks OpenAI's chat completions as far as the tests need, by a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from multidict import CIMultiDict

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """One scripted reply. `body` is JSON unless it is bytes; `cut` breaks the connection within the body."""

    status: int = 200
    body: Body | bytes = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    cut: bool = False


@dataclass
class Received:
    path: str
    headers: CIMultiDict[str]
    body: Body


@dataclass
class FakeServer:
    """Replies in order, the last one again and again; `choose` decides from the request where it is set."""

    replies: list[Reply] = field(default_factory=list)
    choose: Callable[[Received], Reply] | None = None
    received: list[Received] = field(default_factory=list)
    url: str = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        received = Received(request.path, request.headers.copy(), await request.json())
        self.received.append(received)
        reply = self.choose(received) if self.choose else self.replies[min(len(self.received), len(self.replies)) - 1]
        return await _send(request, reply)


async def _send(request: web.Request, reply: Reply) -> web.StreamResponse:
    content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
    headers = {"Content-Type": "application/json", **reply.headers}
    if reply.cut or reply.delay_seconds:
        response = web.StreamResponse(
            status=reply.status, headers={**headers, "Content-Length": str(max(len(content), 20))}
        )
        await response.prepare(request)
        await response.write(content[:5])
        await asyncio.sleep(reply.delay_seconds)
        if reply.cut and request.transport is not None:
            request.transport.abort()
            return response
        await response.write(content[5:])
        return response
    return web.Response(status=reply.status, body=content, headers=headers)


@asynccontextmanager
async def serving(server: FakeServer) -> AsyncIterator[FakeServer]:
    """The server on a free loopback port; `url` is its address without a path."""
    app = web.Application(client_max_size=10_000_000)
    app.router.add_route("POST", "/{path:.*}", server.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = "http://{}:{}".format(*runner.addresses[0][:2])
    try:
        yield server
    finally:
        await runner.cleanup()


def completion(
    content: str | None,
    *,
    model: str = "judge-x-0401",
    finish: str = "stop",
    usage: Body | None = None,
    **message: Any,
) -> Body:
    """A chat completion's body."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
        ],
        "usage": usage,
    }


def failure(message: str, *, param: str | None = None, code: str | None = None, kind: str = "x") -> Body:
    """An error's body."""
    return {"error": {"message": message, "param": param, "code": code, "type": kind}}
