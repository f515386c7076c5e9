"""`evenhand store`."""

from __future__ import annotations

from pathlib import Path

import click

from streams.cli.options import with_settings
from streams.config.settings import Settings
from streams.embedded.store_server import DEFAULT_PORT, run_store


@click.command(epilog="Example: evenhand store --path ./store --port 8123")
@click.option("--path", type=click.Path(file_okay=False, path_type=Path), required=True, help="Its directory.")
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True)
@with_settings
def store(settings: Settings, *, path: Path, port: int) -> None:
    """Serve the in-process ClickHouse engine over ClickHouse's HTTP protocol, on loopback, until it is stopped.

    For a single machine, the demo and tests. One process owns a directory; everyone else connects by
    clickhouse://127.0.0.1:PORT/default.
    """
    run_store(path, port)
