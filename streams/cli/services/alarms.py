"""`evenhand alarms`."""

from __future__ import annotations

import asyncio

import click

from metrics.alarms.state import swaps as swaps_of
from metrics.clickhouse.client import connect
from metrics.figures.measurement import as_text
from metrics.tables.alarms import alarms_table
from streams.cli.options import with_settings
from streams.cli.terminal import show
from streams.config.settings import Settings
from streams.export.alarm_reader import AlarmReader, AlarmReading


@click.command(epilog="Examples: evenhand alarms;  evenhand alarms --json --config evenhand.toml")
@click.option("--json", "as_json", is_flag=True, help="Print alarms, present signals and swaps as JSON.")
@with_settings
def alarms(settings: Settings, *, as_json: bool) -> None:
    """List the alarms that the stored pairs give, each with its evidence, and how each swap changed the rows.

    The same pairs give the same alarms at the same transcripts, however often and by whom they are looked at.
    """
    reading = asyncio.run(_read(settings))
    swaps = swaps_of(reading.flips, settings.metrics.thresholds, deployments=reading.deployments)
    if not as_json:
        show(alarms_table(reading.alarms, swaps, alpha=settings.alarms.alpha))
        return
    plain = {
        "alpha": settings.alarms.alpha,
        "alarms": [alarm.model_dump(mode="json") for alarm in reading.alarms],
        "signals": [
            {"row": signal.row, "model": signal.model, "kind": signal.kind, "rings": signal.rings}
            for signal in reading.signals
        ],
        "swaps": [swap.model_dump(mode="json") for swap in swaps],
    }
    click.echo(as_text(plain), nl=False)


async def _read(settings: Settings) -> AlarmReading:
    async with await connect(settings.clickhouse.dsn.get_secret_value()) as client:
        return await AlarmReader(settings.alarms).read(client)
