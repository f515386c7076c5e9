"""What a worker logs: its own lines, and of the libraries only what matters, not over and over."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

_LIBRARIES = ("faust", "mode", "aiokafka", "asyncio", "kafka", "aiohttp.access", "httpx", "httpcore", "openai")


class Throttle(logging.Filter):
    """Lets a library's message through once per `seconds`: an outage is told of, not several times a second."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        super().__init__()
        self._seconds = seconds
        self._clock = clock
        self._last: dict[tuple[str, int], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this record is let through."""
        key = (record.name, record.lineno)
        now = self._clock()
        if record.name.partition(".")[0] == "evenhand" or now - self._last.get(key, -self._seconds) >= self._seconds:
            self._last[key] = now
            return True
        return False


def set_up_logging(*, verbose: bool = False) -> None:
    """Our own lines from INFO on stderr; libraries from ERROR (WARNING with `verbose`), throttled to one in 10 s."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.addFilter(Throttle(10.0, time.monotonic))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("evenhand").setLevel(logging.INFO)
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(logging.WARNING if verbose else logging.ERROR)
