"""`evenhand measure`."""

from __future__ import annotations

import click

from evaluators.evaluation import Evaluation
from metrics.errors import MeasureError
from metrics.measure import dump
from metrics.measure import measure as measure_evaluations
from metrics.reading import read_evaluations
from metrics.table import figures_table
from streams.cli.common import InputError, output_console, readable, say, with_settings
from streams.exporter import thresholds_of
from streams.lines import read_lines
from streams.settings import Settings


@click.command(
    epilog="Examples: evenhand measure out/evaluations.jsonl;  evenhand measure monday.jsonl tuesday.jsonl --json"
)
@click.argument("evaluations", nargs=-1, required=True, metavar="EVALUATIONS.jsonl...")
@click.option("--json", "as_json", is_flag=True, help="Print every figure as JSON, unrounded.")
@click.option("--system", help="Only this system and epoch, where the files hold several (a key of by_system).")
@with_settings
def measure(settings: Settings, *, evaluations: tuple[str, ...], as_json: bool, system: str | None) -> None:
    """Measure fairness from files of evaluations (- for standard input), one JSON object a line.

    Order, duplicates and splits make no difference. A line that is no evaluation is told with its number and reason;
    the rest is measured, and the exit code is 1.
    """
    held: list[Evaluation] = []
    bad = 0
    for file in evaluations:
        with readable(file):
            reading = read_evaluations(read_lines(file), file="standard input" if file == "-" else file)
        held += reading.evaluations
        bad += len(reading.bad_lines)
        for line in reading.bad_lines:
            say(str(line))
    try:
        measurement = measure_evaluations(held, system=system, thresholds=thresholds_of(settings))
    except MeasureError as error:
        raise InputError(str(error)) from None
    if as_json:
        click.echo(dump(measurement), nl=False)
    else:
        output_console().print(figures_table(measurement))
    if bad:
        raise click.exceptions.Exit(1)
