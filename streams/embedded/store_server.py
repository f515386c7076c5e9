"""`evenhand store`: the in-process ClickHouse engine on a directory, served on loopback until a signal ends it."""

from __future__ import annotations

import argparse
import asyncio
import errno
import os
import signal
import sys
import time
from pathlib import Path

from aiohttp import web

from streams.embedded.errors import EmbeddedError, PortInUse
from streams.embedded.store_engine import Engine
from streams.embedded.store_http import make_application

DEFAULT_PORT = 8123
GRACE_SECONDS = 30.0
"""How long statements that run may go on after the signal to end."""


def run_store(path: Path, port: int = DEFAULT_PORT) -> None:
    """Serve the store in `path` on 127.0.0.1:port; returns after SIGTERM or SIGINT, when all is closed.

    Connect by `http://127.0.0.1:PORT/default` or `clickhouse://127.0.0.1:PORT/default`. What was acknowledged
    survives a kill. Raises PortInUse, PathInUse, PathUnusable or PartMissing.
    """
    # The engine takes the process's zone for its own; every column names UTC, so nothing may depend on it.
    os.environ["TZ"] = "UTC"
    time.tzset()
    asyncio.run(_serve(path, port))


async def _serve(path: Path, port: int) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, ended.set)
    with Engine(path) as engine:
        # Bodies are opened by the application: it knows encodings that the web server doesn't.
        runner = web.AppRunner(
            make_application(engine), access_log=None, auto_decompress=False, shutdown_timeout=GRACE_SECONDS
        )
        await runner.setup()
        try:
            await _listen(runner, port)
            print(f"store ready: http://127.0.0.1:{port}/default on {path}", file=sys.stderr, flush=True)
            await ended.wait()
        finally:
            await runner.cleanup()


async def _listen(runner: web.AppRunner, port: int) -> None:
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse("the store", port) from None
        raise


def main() -> int:
    """The store as a process of its own, for the supervisor: exit code 1 with one sentence where it can't start."""
    parser = argparse.ArgumentParser(prog="store")
    parser.add_argument("--path", type=Path, required=True)
    parser.add_argument("--port", type=int, default=DEFAULT_PORT)
    chosen = parser.parse_args()
    try:
        run_store(chosen.path, chosen.port)
    except EmbeddedError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
