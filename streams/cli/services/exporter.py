"""`evenhand exporter`."""

from __future__ import annotations

import signal
import threading

import click

from streams.cli.options import with_settings
from streams.cli.terminal import say
from streams.config.settings import Settings
from streams.export.exporter import serve
from streams.runtime.logs import set_up_logging


@click.command(epilog="Examples: evenhand exporter;  evenhand exporter --port 9465")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of /metrics; metrics.exporter_port by default.")
@with_settings
def exporter(settings: Settings, *, port: int | None) -> None:
    """Serve exact, deduplicated fairness figures from ClickHouse to Prometheus until it is stopped."""
    set_up_logging()
    stop, used = serve(settings, settings.metrics.exporter_port if port is None else port)
    say(f"metrics at http://127.0.0.1:{used}/metrics")
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    ended.wait()
    stop()
