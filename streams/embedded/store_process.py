"""The embedded store as a child process."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import aiohttp

from streams.embedded.children import Child, Children, claim_port, free_port, python_child


async def start_store(children: Children, path: Path, *, port: int | None = None) -> tuple[Child, str]:
    """The store in `path` as a child on a free port (or `port`), and its DSN.

    Raises PortInUse, or ChildFailed with what the store said: its directory is in use or can't be used.
    """
    chosen = free_port() if port is None else port
    claim_port("the store", chosen)
    spec = python_child(
        "store",
        "streams.embedded.store_server",
        ["--path", str(path), "--port", str(chosen)],
        partial(_answers, chosen),
        ready_seconds=60.0,
    )
    return await children.start(spec), f"clickhouse://127.0.0.1:{chosen}/default"


async def _answers(port: int) -> bool:
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=2)) as session,
            session.get(f"http://127.0.0.1:{port}/ping") as response,
        ):
            return response.status == 200
    except (aiohttp.ClientError, TimeoutError):
        return False
