"""The simulated judge as an OpenAI-compatible HTTP server: requests in, draws out, nothing kept between them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from evaluators.simulated.planting import Planting, plant
from evaluators.simulated.profile_records import Profile
from evaluators.simulated.prompt_reading import PromptReadingError
from evaluators.simulated.reply_draw import draw_reply
from evaluators.simulated.wire import InvalidRequest, completion, error_body, models, user_text

PLANTING: web.AppKey[Planting] = web.AppKey("planting", Planting)

MAX_BYTES = 20_000_000

SHUTDOWN_SECONDS = 0.5
"""Calls that are still slow when the server is stopped are given up: whoever asked asks again."""


def make_app(profile: Profile) -> web.Application:
    """POST /v1/chat/completions, GET /v1/models and GET /healthz for this profile."""
    app = web.Application(client_max_size=MAX_BYTES)
    app[PLANTING] = plant(profile)
    app.router.add_post("/v1/chat/completions", _complete)
    app.router.add_get("/v1/models", _models)
    app.router.add_get("/healthz", _healthz)
    return app


def run_server(profile: Profile, host: str, port: int) -> None:
    """Serves until SIGINT or SIGTERM. Raises OSError where the port can't be had."""
    web.run_app(
        make_app(profile),
        host=host,
        port=port,
        print=None,
        access_log=None,
        handler_cancellation=True,
        shutdown_timeout=SHUTDOWN_SECONDS,
    )


async def _complete(request: web.Request) -> web.Response:
    planting = request.app[PLANTING]
    try:
        body = _object(await request.read())
        user = user_text(body)
        reply = draw_reply(planting, user, request.headers.get("Idempotency-Key"))
    except (InvalidRequest, PromptReadingError) as error:
        return web.json_response(error_body(str(error)), status=400)
    await asyncio.sleep(_delay_seconds(planting.profile, user))
    return web.json_response(completion(body, reply, planting.profile.served_model))


async def _models(request: web.Request) -> web.Response:
    return web.json_response(models(request.app[PLANTING].profile.served_model))


async def _healthz(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def _object(raw: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(raw)
    except ValueError:
        raise InvalidRequest("the body is not JSON") from None
    if not isinstance(body, dict):
        raise InvalidRequest("the body is not a JSON object")
    return body


def _delay_seconds(profile: Profile, user: str) -> float:
    return profile.latency_seconds + sum(slow.seconds for slow in profile.slow if slow.contains in user)
