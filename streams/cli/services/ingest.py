"""`evenhand ingest`."""

from __future__ import annotations

import asyncio

import click

from streams.cli.input_file import readable
from streams.cli.options import with_settings
from streams.cli.terminal import progress_bar, say
from streams.config.settings import Settings
from streams.kafka.send import send_transcripts
from streams.lines import count_lines


@click.command(epilog="Examples: evenhand ingest calls.jsonl;  zcat calls.jsonl.gz | evenhand ingest -")
@click.argument("file")
@with_settings
def ingest(settings: Settings, *, file: str) -> None:
    """Send the transcripts in FILE (- for standard input), one JSON object a line, onto the transcripts topic.

    A line that is no transcript is told with its number and reason; the rest goes on, and the exit code is 1.
    """
    with readable(file), progress_bar() as progress:
        task = progress.add_task("sending", total=count_lines(file))
        sent = asyncio.run(
            send_transcripts(
                settings,
                file,
                on_bad_line=lambda number, fault: say(f"line {number}: {fault}"),
                on_line=lambda: progress.advance(task),
            )
        )
    say(
        f"{sent.transcripts:,} transcripts sent"
        + (f"; {sent.bad_lines:,} could not be read" if sent.bad_lines else "")
    )
    if sent.bad_lines:
        raise click.exceptions.Exit(1)
