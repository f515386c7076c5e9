"""What an adapter needs to know of its judge, and what can be read from an address."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from evaluators.providers.http_shape import HttpShape

_NO_KEY = "no-key"


@dataclass(frozen=True)
class Connection:
    """Which model is asked, where and how patiently; `base_url` None is the provider's own service.

    Neither the key nor the address, which may hold one, is in its repr. `refused` are the parameters that the model
    is known to refuse. `concurrency` is how many calls may be under way at once. `shape` is set for a service of
    one's own only.
    """

    model: str
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = field(default=None, repr=False)
    region: str | None = None
    timeout_seconds: float = 120.0
    concurrency: int = 16
    refused: Collection[str] = ()
    shape: HttpShape | None = None

    @property
    def sdk_key(self) -> str:
        """The key, or a word in its place for an endpoint that needs none: SDKs refuse to send no key at all."""
        return self.api_key or _NO_KEY


def place(url: str) -> str:
    """The address without what may be secret in it: user, password, query."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}".rstrip("/")


def is_loopback(url: str) -> bool:
    """Whether the address is this machine: a proxy has no business there."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")
