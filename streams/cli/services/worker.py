"""`evenhand worker`."""

from __future__ import annotations

import asyncio

import click

from streams.cli.errors import InputError
from streams.cli.options import with_settings
from streams.config.settings import Settings
from streams.runtime.logs import set_up_logging
from streams.worker.stages import STAGES


@click.command(epilog="Examples: evenhand worker;  evenhand worker --agents evaluate --config evenhand.toml")
@click.option("--agents", default=",".join(STAGES), show_default=True, help="Which agents to run, comma-separated.")
@click.option("--verbose", is_flag=True, help="Let the libraries' warnings through as well.")
@with_settings
def worker(settings: Settings, *, agents: str, verbose: bool) -> None:
    """Run the stream's agents in one process until it is stopped.

    Each agent is a consumer group of its own: start more workers to share its partitions, of all agents or of the one
    that is slow.
    """
    chosen = [name.strip() for name in agents.split(",") if name.strip()]
    unknown = sorted(set(chosen) - set(STAGES))
    if unknown or not chosen:
        raise InputError(
            f"--agents: no such agent: {', '.join(unknown) or 'none given'}; allowed: {', '.join(STAGES)}"
        )
    # Not before: Faust takes a second to be imported, and the help names the stages without it.
    from streams.worker.run import run_worker

    set_up_logging(verbose=verbose)
    asyncio.run(run_worker(settings, chosen))
