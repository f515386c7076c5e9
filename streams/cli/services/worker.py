"""`evenhand worker`."""

from __future__ import annotations

import click

from evaluators.errors import JudgeConfigError
from metrics.clickhouse.errors import StoreError
from streams.cli.common import InputError, RunError, run_async, with_settings
from streams.config.settings import Settings, SettingsError
from streams.kafka.topics import TopicsError
from streams.runtime.logs import set_up_logging
from streams.worker import AGENTS, WorkerError, run_worker


@click.command(epilog="Examples: evenhand worker;  evenhand worker --agents evaluate --config evenhand.toml")
@click.option("--agents", default=",".join(AGENTS), show_default=True, help="Which agents to run, comma-separated.")
@click.option("--verbose", is_flag=True, help="Let the libraries' warnings through as well.")
@with_settings
def worker(settings: Settings, *, agents: str, verbose: bool) -> None:
    """Run the stream's agents in one process until it is stopped.

    Each agent is a consumer group of its own: start more workers to share its partitions, of all agents or of the one
    that is slow.
    """
    chosen = [name.strip() for name in agents.split(",") if name.strip()]
    unknown = sorted(set(chosen) - set(AGENTS))
    if unknown or not chosen:
        raise InputError(
            f"--agents: no such agent: {', '.join(unknown) or 'none given'}; allowed: {', '.join(AGENTS)}"
        )
    set_up_logging(verbose=verbose)
    try:
        run_async(run_worker(settings, chosen))
    except (SettingsError, JudgeConfigError) as error:
        raise InputError(str(error)) from None
    except (WorkerError, TopicsError, StoreError) as error:
        raise RunError(str(error)) from None
