"""Child processes: started, waited for until ready, stopped, and never left behind."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from streams.embedded.errors import ChildFailed, PortInUse

_POLL_SECONDS = 0.02
_TAIL_BYTES = 4_000


@dataclass(frozen=True)
class ChildSpec:
    """A program to run: `ready` says whether it can be used now, `environment` adds to this process's own."""

    name: str
    argv: Sequence[str]
    ready: Callable[[], Awaitable[bool]]
    ready_seconds: float = 30.0
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Child:
    """A child that runs, or ran; what it printed goes to the file `log`."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    def tail(self) -> str:
        """The last lines that it printed."""
        with contextlib.suppress(OSError), self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - _TAIL_BYTES))
            return log.read().decode("utf-8", "replace").strip()
        return ""


class Children:
    """The children of this process: use as an async context manager, which stops all of them, last first.

    They run in process groups of their own: a Ctrl-C in the terminal reaches this process alone, which then stops
    them in order. Where this process is killed Linux ends them; see `streams.embedded.tether`.
    """

    def __init__(self, log_directory: Path | None = None) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="evenhand-") if log_directory is None else None
        self._logs = Path(self._temporary.name) if self._temporary is not None else log_directory or Path()
        self._logs.mkdir(parents=True, exist_ok=True)
        self._running: list[Child] = []

    async def __aenter__(self) -> Children:
        atexit.register(self._kill_all)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        # Shielded: a second Ctrl-C, which cancels this too, must not leave half of them running.
        await asyncio.shield(asyncio.ensure_future(self.stop_all()))

    async def start(self, spec: ChildSpec) -> Child:
        """The child, once it is ready. Raises ChildFailed, with its last words, where it ends or isn't in time."""
        child = self._spawn(spec)
        self._running.append(child)
        until = time.monotonic() + spec.ready_seconds
        try:
            while not await spec.ready():
                if child.process.poll() is not None:
                    raise ChildFailed(spec.name, f"ended with code {child.process.returncode} at start", child.tail())
                if time.monotonic() > until:
                    raise ChildFailed(spec.name, f"was not ready within {spec.ready_seconds:g} s", child.tail())
                await asyncio.sleep(_POLL_SECONDS)
        except BaseException:
            await self.stop(child)
            raise
        return child

    async def stop(self, child: Child, *, grace_seconds: float = 10.0) -> int:
        """Ask the child to end (SIGTERM), and make it end (SIGKILL) after the grace; gives its exit code."""
        if child.process.poll() is None:
            child.process.send_signal(signal.SIGTERM)
            if not await _ended(child, grace_seconds):
                child.process.kill()
                await _ended(child, grace_seconds)
        if child in self._running:
            self._running.remove(child)
        return child.process.wait()

    async def stop_all(self, *, grace_seconds: float = 10.0) -> None:
        """Stop every child, last started first: what was started first is what the others need."""
        try:
            for child in reversed(self._running.copy()):
                await self.stop(child, grace_seconds=grace_seconds)
        finally:
            self._kill_all()
            atexit.unregister(self._kill_all)
            if self._temporary is not None:
                self._temporary.cleanup()

    def check(self) -> None:
        """Raise ChildFailed where a child ended that wasn't told to."""
        for child in self._running:
            if child.process.poll() is not None:
                raise ChildFailed(child.name, f"ended with code {child.process.returncode}", child.tail())

    def _spawn(self, spec: ChildSpec) -> Child:
        log = self._logs / f"{len(list(self._logs.iterdir())):02d}-{spec.name}.log"
        tethered = [sys.executable, "-I", "-S", str(Path(__file__).with_name("tether.py")), str(os.getpid())]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*tethered, *spec.argv],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **spec.environment},
                start_new_session=True,
            )
        return Child(spec.name, process, log)

    def _kill_all(self) -> None:
        for child in self._running:
            if child.process.poll() is None:
                child.process.kill()
            child.process.wait()


def python_child(
    name: str,
    module: str,
    arguments: Sequence[str],
    ready: Callable[[], Awaitable[bool]],
    *,
    ready_seconds: float = 30.0,
    environment: Mapping[str, str] | None = None,
) -> ChildSpec:
    """One of evenhand's own modules as a child of the same Python, from wherever this process has its packages."""
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    return ChildSpec(
        name,
        [sys.executable, "-m", module, *arguments],
        ready,
        ready_seconds,
        {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **(environment or {})},
    )


def free_port() -> int:
    """A port on loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def claim_port(what: str, port: int) -> None:
    """Raise PortInUse where somebody listens on the port: a ready check would take the other for our child."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise PortInUse(what, port) from None


async def accepts_connections(port: int) -> bool:
    """Whether somebody listens on the port of loopback."""
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 1.0)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


async def _ended(child: Child, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while child.process.poll() is None:
        if time.monotonic() > until:
            return False
        await asyncio.sleep(_POLL_SECONDS)
    return True
