"""`evenhand migrate`."""

from __future__ import annotations

import asyncio
import json

import click

from metrics.clickhouse.migrate import migrate as apply_migrations
from streams.cli.options import with_settings
from streams.config.settings import Settings


@click.command(epilog="Examples: evenhand migrate;  evenhand migrate --config evenhand.toml --json")
@click.option("--json", "as_json", is_flag=True, help="Print what was applied as JSON.")
@with_settings
def migrate(settings: Settings, *, as_json: bool) -> None:
    """Create the database and its tables, or bring them up to date; safe to run again."""
    applied = asyncio.run(
        apply_migrations(
            settings.clickhouse.dsn.get_secret_value(), retention_days=settings.clickhouse.retention_days
        )
    )
    if as_json:
        click.echo(json.dumps({"applied": applied}))
    else:
        click.echo("\n".join(f"applied {name}" for name in applied) or "up to date")
