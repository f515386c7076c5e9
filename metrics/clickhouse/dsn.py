"""The address of a ClickHouse: read, checked, and shown without its password."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit, urlunsplit

from metrics.clickhouse.errors import DsnError

_TLS = ("https", "clickhouses")
_PLAIN = ("http", "clickhouse")
_DSN_FORM = (
    "a ClickHouse DSN looks like clickhouse://user:password@host:8123/database (https:// or clickhouses:// for TLS)"
)


class Dsn:
    """A checked DSN. It prints without the password. Raises DsnError, which doesn't repeat the password either."""

    def __init__(self, text: str) -> None:
        try:
            parts = urlsplit(text.strip())
            port = parts.port
        except ValueError:
            raise DsnError(f"the port or host can't be read: {_DSN_FORM}") from None
        if parts.scheme not in (*_TLS, *_PLAIN):
            raise DsnError(f"{parts.scheme or 'no scheme'!r} is not understood: {_DSN_FORM}")
        if not parts.hostname:
            raise DsnError(f"there is no host in it: {_DSN_FORM}")
        self.secure = parts.scheme in _TLS or port in (443, 8443)
        self.host = parts.hostname
        self.port = port or (8443 if self.secure else 8123)
        self.database = parts.path.strip("/") or "default"
        self._parts = parts

    def __str__(self) -> str:
        user = f"{self._parts.username}@" if self._parts.username else ""
        return f"{self._parts.scheme}://{user}{self.location}/{self.database}"

    def __repr__(self) -> str:
        return f"Dsn({str(self)!r})"

    @property
    def location(self) -> str:
        """host:port, as messages name it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def with_password(self, *, database: str | None = None) -> str:
        """The DSN with its password, for the driver alone; `database` in place of the DSN's own."""
        parts = self._parts
        credentials, at, _ = parts.netloc.rpartition("@")
        scheme = "https" if self.secure else "http"
        return urlunsplit(
            SplitResult(scheme, f"{credentials}{at}{self.location}", f"/{database or self.database}", parts.query, "")
        )
