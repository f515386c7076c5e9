"""`evenhand perturb`."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click
from rich.console import Console

from perturbations.errors import RecordError
from perturbations.generate import make_variant
from perturbations.outcome import make_original
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS
from perturbations.tally import Tally
from perturbations.transcript import Transcript, read_transcript
from perturbations.variant import Variant
from perturbations.writer import Writer
from perturbations.writers import writers_for
from streams.cli.common import PIPE_WIDTH, InputError, progress_bar, readable, say, with_settings
from streams.cli.variant_diff import COLOURS, MARKS, diff_lines
from streams.cli.variant_stats import stats_table
from streams.lines import count_lines, read_lines
from streams.materials import materials_of
from streams.settings import Settings, SettingsError

Arms = dict[str, tuple[str, ...]]
"""The attributes that are asked for, by row in the table's order; the baseline's original among them."""


@click.command(
    epilog="Examples: evenhand perturb calls.jsonl > variants.jsonl;  "
    "evenhand perturb calls.jsonl --row agent_gender --attribute female --diff;  "
    "evenhand perturb calls.jsonl --stats --json"
)
@click.argument("file")
@click.option("--row", "rows", multiple=True, help="Only this row; may be given more than once.")
@click.option("--attribute", "attributes", multiple=True, help="Only this attribute; may be given more than once.")
@click.option("--seed", type=int, help="The seed of all draws; the configuration's by default.")
@click.option("--placebo", is_flag=True, help="Behind each variant its placebo: the same attribute drawn again.")
@click.option("--diff", is_flag=True, help="Show for people what each variant changes, instead of JSON lines.")
@click.option("--stats", is_flag=True, help="Show what became of the variants, row by row, on standard error.")
@click.option("--json", "as_json", is_flag=True, help="With --stats: print its numbers as JSON and no variants.")
@with_settings
def perturb(
    settings: Settings,
    *,
    file: str,
    rows: Sequence[str],
    attributes: Sequence[str],
    seed: int | None,
    placebo: bool,
    diff: bool,
    stats: bool,
    as_json: bool,
) -> None:
    """Print every variant of every transcript in FILE (- for standard input) as JSON lines, in the file's order.

    A line that is no transcript is told with its number and reason; the rest goes on, and the exit code is 1.
    """
    if as_json and (diff or not stats):
        raise InputError("--json goes with --stats alone: variants are JSON lines anyway")
    arms = _chosen(rows, attributes)
    try:
        writers = writers_for(materials_of(settings.perturbations))
    except SettingsError as error:
        raise InputError(str(error)) from None
    draws = (0, 1) if placebo else (0,)
    tally = Tally()
    statuses: Counter[str] = Counter()
    transcripts = bad = 0
    with readable(file), progress_bar() as progress:
        task = progress.add_task("perturbing", total=count_lines(file))
        for number, line in read_lines(file):
            progress.advance(task)
            try:
                transcript = read_transcript(line, max_bytes=settings.sampling.max_transcript_bytes)
            except RecordError as error:
                say(f"line {number}: {error}")
                bad += 1
                continue
            transcripts += 1
            for row, chosen in arms.items():
                used_seed = settings.seed if seed is None else seed
                variants = list(_variants(transcript, row, chosen, seed=used_seed, draws=draws, writers=writers))
                statuses.update(variant.status for variant in variants)
                if row != ROBUSTNESS:
                    tally.add(transcript, row, variants)
                if not as_json:
                    _print(transcript, variants, diff=diff)
    if as_json:
        numbers = {row: figures.model_dump() for row, figures in tally.rows().items()}
        click.echo(json.dumps({"rows": numbers}, indent=2))
    elif stats:
        console = Console(stderr=True)
        (console if console.is_terminal else Console(stderr=True, width=PIPE_WIDTH)).print(stats_table(tally.rows()))
    _say_sums(transcripts, statuses, bad)
    if bad:
        raise click.exceptions.Exit(1)


def _chosen(rows: Sequence[str], attributes: Sequence[str]) -> Arms:
    known = {**{name: row.attributes for name, row in ROWS.items()}, ROBUSTNESS: (ORIGINAL,)}
    unknown = sorted(set(rows) - set(known))
    if unknown:
        raise InputError(f"--row: no such row {unknown[0]!r}; allowed: {', '.join(known)}")
    allowed = {name: values for name, values in known.items() if (name in rows if rows else name in ROWS)}
    for attribute in attributes:
        if not any(attribute in values for values in allowed.values()):
            told = ", ".join(sorted({value for values in allowed.values() for value in values}))
            raise InputError(f"--attribute: no such attribute {attribute!r}; allowed: {told}")
    chosen = {
        name: tuple(value for value in values if not attributes or value in attributes)
        for name, values in allowed.items()
    }
    return {name: values for name, values in chosen.items() if values}


def _variants(
    transcript: Transcript,
    row: str,
    attributes: Iterable[str],
    *,
    seed: int,
    draws: Sequence[int],
    writers: Mapping[str, Writer],
) -> Iterator[Variant]:
    """Each attribute's variant, each draw of it; the original itself isn't drawn and has no placebo."""
    if row == ROBUSTNESS:
        yield make_original(transcript)
        return
    for attribute in attributes:
        for draw in draws[:1] if ROWS[row].is_original(attribute) else draws:
            yield make_variant(transcript, ROWS[row], attribute, seed=seed, draw=draw, writers=writers)


def _print(transcript: Transcript, variants: Iterable[Variant], *, diff: bool) -> None:
    for variant in variants:
        if not diff:
            click.echo(variant.model_dump_json(exclude={"draw"} if variant.draw == 0 else set()))
            continue
        paint = COLOURS if sys.stdout.isatty() and "NO_COLOR" not in os.environ else MARKS
        for line in diff_lines(transcript, variant, paint):
            click.echo(line)


def _say_sums(transcripts: int, statuses: Counter[str], bad: int) -> None:
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items())) or "no variants"
    say(f"{transcripts:,} transcripts: {counts}" + (f"; {bad:,} lines could not be read" if bad else ""))
