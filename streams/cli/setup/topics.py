"""`evenhand topics`."""

from __future__ import annotations

import asyncio
import json

import click

from streams.cli.errors import RunError
from streams.cli.options import with_settings
from streams.config.settings import Settings


@click.command(epilog="Examples: evenhand topics;  evenhand topics --check --json")
@click.option("--check", "check_only", is_flag=True, help="Create nothing; exit 1 where a topic is missing.")
@click.option("--json", "as_json", is_flag=True, help="Print the topics as JSON.")
@with_settings
def topics(settings: Settings, *, check_only: bool, as_json: bool) -> None:
    """Create the topics that are missing, with the configured partitions and replication."""
    from streams.kafka.topic_admin import create_topics, describe_topics

    created = [] if check_only else asyncio.run(create_topics(settings.kafka))
    states = asyncio.run(describe_topics(settings.kafka))
    if as_json:
        listed = [
            {"topic": state.name, "partitions": state.partitions, "created": state.name in created}
            for state in states
        ]
        click.echo(json.dumps({"topics": listed}))
    else:
        for state in states:
            what = "missing" if state.partitions is None else f"{state.partitions} partitions"
            click.echo(f"{state.name}: {what}{' (created)' if state.name in created else ''}")
    missing = [state.name for state in states if state.partitions is None]
    if missing:
        raise RunError(f"missing: {', '.join(missing)}; create them with `evenhand topics`")
