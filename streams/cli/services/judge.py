"""`evenhand judge serve`."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import click

from evaluators.judges.local_judge import MODEL_NAME, require_local_judge, start_local_judge
from evaluators.simulated.profile import default_profile, load_profile
from evaluators.simulated.server import run_server
from streams.cli.options import with_settings
from streams.cli.terminal import say
from streams.config.settings import Settings
from streams.embedded.children import claim_port


@click.group(epilog="Example: evenhand judge serve --port 8017")
def judge() -> None:
    """A judge on this machine."""


@judge.command(
    epilog="Examples: evenhand judge serve --profile biased.toml --port 8017;  evenhand judge serve --local"
)
@click.option(
    "--profile",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What the judge does, row by row (TOML); the demo's by default.",
)
@click.option("--local", is_flag=True, help="Serve a small real model instead (the extra local-judge).")
@click.option("--port", type=click.IntRange(1, 65535), default=8017, show_default=True)
@with_settings
def serve(settings: Settings, *, profile: Path | None, local: bool, port: int) -> None:
    """Serve the simulated judge, or a small real model.

    Both are OpenAI-compatible: point a judge's base_url at http://127.0.0.1:PORT/v1. A profile plants the simulated
    one's unfairness and noise. It draws by hash of the text that it sees, so that what it does is known beforehand,
    and what is measured can be held against it. The real one needs no key and no network: real tokens, real noise.
    """
    if local and profile is not None:
        raise click.UsageError("--profile belongs to the simulated judge, not to --local")
    if local:
        _serve_local(port)
        return
    loaded = default_profile() if profile is None else load_profile(profile)
    claim_port("the simulated judge", port)
    say(f"simulated judge at http://127.0.0.1:{port}/v1 (model {loaded.served_model})")
    run_server(loaded, "127.0.0.1", port)


def _serve_local(port: int) -> None:
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    require_local_judge()
    claim_port("the local judge", port)
    served = start_local_judge(port=port)
    say(f"local judge at {served.url} (model {MODEL_NAME})")
    try:
        stopped.wait()
    finally:
        served.close()
