"""`evenhand costs`."""

from __future__ import annotations

import json

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from evaluators.evaluation import Judge
from evaluators.judges.models import model_card
from evaluators.price import Price
from metrics.figures.costs import Costs
from metrics.figures.costs import costs as costs_of
from streams.cli.offline.evaluation_files import read_evaluation_files
from streams.cli.options import with_settings
from streams.cli.terminal import show
from streams.config.settings import Settings


@click.command(epilog="Examples: evenhand costs out/evaluations.jsonl;  evenhand costs monday.jsonl --json")
@click.argument("files", nargs=-1, required=True, metavar="EVALUATIONS.jsonl...")
@click.option("--json", "as_json", is_flag=True, help="Print the sums as JSON.")
@with_settings
def costs(settings: Settings, *, files: tuple[str, ...], as_json: bool) -> None:
    """Tokens and dollars by model and row, from files of evaluations (- for standard input).

    Prices are those of the configured judges: declared, or known of the model. An unknown cost is unknown, never 0.
    """
    evaluations, bad = read_evaluation_files(files)
    prices: dict[tuple[str, str], Price | None] = {
        (judge.provider, judge.model): model_card(judge).price for judge in settings.judges.values()
    }

    def price_of(judge: Judge) -> Price | None:
        return prices.get((judge.provider, judge.model))

    lines = costs_of(evaluations, price_of)
    if as_json:
        click.echo(json.dumps({"costs": [line.model_dump() for line in lines]}, indent=2))
    else:
        show(_table(lines))
    if bad:
        raise click.exceptions.Exit(1)


def _table(lines: list[Costs]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in ("model", "row"):
        table.add_column(name)
    for name in ("evaluations", "input", "cached", "output", "reasoning", "dollars", "cost unknown"):
        table.add_column(name, justify="right")
    for line in lines:
        tokens = (line.input_tokens, line.cached_tokens, line.output_tokens, line.reasoning_tokens)
        dollars = "unknown" if line.dollars is None else f"{line.dollars:,.4f}"
        counts = ("unknown" if count is None else f"{count:,}" for count in tokens)
        table.add_row(line.model, line.row, f"{line.evaluations:,}", *counts, dollars, f"{line.unknown:,}")
    return table
