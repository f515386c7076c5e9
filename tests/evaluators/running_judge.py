"""The simulated judge on a loopback port, within the test's own event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from evaluators.simulated.profile_records import Profile
from evaluators.simulated.server import SHUTDOWN_SECONDS, make_app


@asynccontextmanager
async def running_server(profile: Profile, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """The server for as long as the block runs; gives its base URL, ending in /v1. Port 0 is any free one."""
    runner = web.AppRunner(
        make_app(profile), access_log=None, handler_cancellation=True, shutdown_timeout=SHUTDOWN_SECONDS
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        yield f"http://{host}:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()
