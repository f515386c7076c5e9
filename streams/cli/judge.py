"""`evenhand judge serve`."""

from __future__ import annotations

from pathlib import Path

import click

from evaluators.simulated.profile import ProfileError, default_profile, load_profile
from evaluators.simulated.server import run_server
from streams.cli.common import InputError, RunError, say, with_settings
from streams.embedded.children import claim_port
from streams.embedded.errors import PortInUse
from streams.settings import Settings


@click.group(epilog="Example: evenhand judge serve --port 8017")
def judge() -> None:
    """A judge on this machine."""


@judge.command(epilog="Example: evenhand judge serve --profile biased.toml --port 8017")
@click.option(
    "--profile",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What the judge does, row by row (TOML); the demo's by default.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8017, show_default=True)
@with_settings
def serve(settings: Settings, *, profile: Path | None, port: int) -> None:
    """Serve the simulated judge.

    It is OpenAI-compatible, and a profile plants its unfairness and noise: point a judge's base_url at
    http://127.0.0.1:PORT/v1. It draws by hash of the text that it sees, so that what it does is known beforehand,
    and what is measured can be held against it.
    """
    try:
        loaded = default_profile() if profile is None else load_profile(profile)
    except ProfileError as error:
        raise InputError(str(error)) from None
    try:
        claim_port("the simulated judge", port)
        say(f"simulated judge at http://127.0.0.1:{port}/v1 (model {loaded.served_model})")
        run_server(loaded, "127.0.0.1", port)
    except PortInUse as error:
        raise RunError(str(error)) from None
