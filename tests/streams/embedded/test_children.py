"""Child processes are ready when they are said to be, end when they are told to, and never outlive their parent."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from streams.embedded.children import Child, Children, ChildSpec, claim_port, free_port
from streams.embedded.errors import ChildFailed, PortInUse

ROOT = Path(__file__).parents[3]

# A parent that starts two children, says who they are, and goes on until something ends it.
PARENT = """
import asyncio, os, sys
from pathlib import Path
from streams.embedded.children import Children, ChildSpec

def sleeper(flag):
    async def ready():
        return flag.exists()

    # Ready only once the program itself runs: until then another guard would end it.
    return ChildSpec("sleeper", ["sh", "-c", 'touch "$0"; exec sleep 600', str(flag)], ready)

async def main(how):
    directory = Path(sys.argv[1])
    async with Children(directory / "logs") as children:
        first = await children.start(sleeper(directory / "first"))
        second = await children.start(sleeper(directory / "second"))
        print(first.pid, second.pid, flush=True)
        if how == "raise":
            raise RuntimeError("a bug")
        if how == "exit":
            os._exit(3)
        await asyncio.sleep(600)

asyncio.run(main(sys.argv[2]))
"""


async def at_once() -> bool:
    return True


async def never() -> bool:
    return False


def python(code: str, ready: Callable[[], Awaitable[bool]] = at_once, ready_seconds: float = 10) -> ChildSpec:
    return ChildSpec("child", [sys.executable, "-u", "-c", code], ready, ready_seconds, {"COLOUR": "green"})


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()  # what nobody has waited for yet has ended too
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


async def printed(child: Child, text: str) -> None:
    for _ in range(500):
        if text in child.tail():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"never printed {text!r}: {child.tail()!r}")


async def test_start_waits_until_the_child_is_ready(tmp_path: Path) -> None:
    flag = tmp_path / "flag"

    async def ready() -> bool:
        return flag.exists()

    async with Children(tmp_path / "logs") as children:
        code = f"import time, pathlib; time.sleep(0.3); pathlib.Path({str(flag)!r}).touch(); time.sleep(600)"
        child = await children.start(python(code, ready=ready))
        assert flag.exists()
        assert alive(child.pid)
    assert not alive(child.pid)


async def test_a_child_that_ends_at_start_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    async with Children(tmp_path) as children:
        with pytest.raises(
            ChildFailed, match=r"(?s)child ended with code 3 at start.*no such flag: --fast"
        ) as failed:
            await children.start(python("import sys; sys.exit(print('no such flag: --fast') or 3)", ready=never))
    assert failed.value.stderr_tail == "no such flag: --fast"


async def test_a_child_that_is_never_ready_is_an_error_and_is_ended(tmp_path: Path) -> None:
    code = "import os, time; print('pid', os.getpid()); time.sleep(600)"
    async with Children(tmp_path) as children:
        with pytest.raises(ChildFailed, match=r"child was not ready within 0\.5 s") as failed:
            await children.start(python(code, ready=never, ready_seconds=0.5))
    assert not alive(int(failed.value.stderr_tail.split()[1]))


async def test_a_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    async with Children(tmp_path) as children:
        with pytest.raises(ChildFailed, match="No such file"):
            await children.start(ChildSpec("ghost", ["/no/such/program"], never))


async def test_stop_asks_first_and_insists_afterwards(tmp_path: Path) -> None:
    polite = "import signal, sys; signal.signal(15, lambda *_: sys.exit(7)); print('up'); signal.pause()"
    stubborn = "import signal; signal.signal(15, signal.SIG_IGN); print('up')\nwhile True: signal.pause()"
    async with Children(tmp_path) as children:
        first = await children.start(python(polite))
        second = await children.start(python(stubborn))
        await printed(first, "up")
        await printed(second, "up")
        assert await children.stop(first) == 7
        assert await children.stop(second, grace_seconds=0.2) == -signal.SIGKILL


async def test_what_was_started_first_is_stopped_last(tmp_path: Path) -> None:
    order = tmp_path / "order"
    code = (
        "import signal, sys, time\n"
        "def end(*_):\n"
        f"    open({str(order)!r}, 'a').write(sys.argv[1])\n"
        "    sys.exit()\n"
        "signal.signal(15, end); print('up'); signal.pause()"
    )
    async with Children(tmp_path / "logs") as children:
        for name in "abc":
            spec = ChildSpec(name, [sys.executable, "-u", "-c", code, name], at_once)
            await printed(await children.start(spec), "up")
    assert order.read_text() == "cba"


async def test_check_tells_of_a_child_that_ended_unasked(tmp_path: Path) -> None:
    async with Children(tmp_path) as children:
        child = await children.start(python("import time; time.sleep(600)"))
        children.check()
        child.process.kill()
        child.process.wait()
        with pytest.raises(ChildFailed, match="child ended with code -9"):
            children.check()


async def test_children_see_the_environment_that_is_added(tmp_path: Path) -> None:
    async with Children(tmp_path) as children:
        code = "import os, time; print(os.environ['COLOUR'], 'PATH' in os.environ); time.sleep(600)"
        await printed(await children.start(python(code)), "green True")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with a parent that was killed")
@pytest.mark.parametrize("end", ["sigkill", "sigterm", "sigint", "raise", "exit"])
def test_no_child_outlives_its_parent(tmp_path: Path, end: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path), end],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    children: list[int] = []
    assert parent.stdout is not None
    try:
        children = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(children) == 2
        signals = {"sigkill": signal.SIGKILL, "sigterm": signal.SIGTERM, "sigint": signal.SIGINT}
        if end in signals:
            assert all(alive(pid) for pid in children)
            parent.send_signal(signals[end])
        assert parent.wait(20) != 0
        assert until(lambda: not any(alive(pid) for pid in children))
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
        for pid in filter(alive, children):
            os.kill(pid, signal.SIGKILL)


def test_free_port_can_be_listened_on_and_claim_port_says_when_it_cannot() -> None:
    port = free_port()
    claim_port("the broker", port)
    with socket.create_server(("127.0.0.1", port)):
        message = rf"the broker can't listen on 127\.0\.0\.1:{port}: the port is in use\. Stop what listens there or"
        with pytest.raises(PortInUse, match=message):
            claim_port("the broker", port)
    claim_port("the broker", port)
