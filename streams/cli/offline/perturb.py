"""`evenhand perturb`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import click

from perturbations.outcome import make_original
from perturbations.records.errors import RecordError
from perturbations.records.transcript import Transcript, read_transcript
from perturbations.records.variant import Variant
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS
from perturbations.variant_maker import VariantMaker
from perturbations.variant_stats import VariantStats
from streams.cli.errors import InputError
from streams.cli.input_file import readable
from streams.cli.offline.variant_diff import COLOURS, MARKS, diff_lines
from streams.cli.offline.variant_table import variant_table
from streams.cli.options import with_settings
from streams.cli.terminal import progress_bar, say, show_aside
from streams.config.settings import Settings
from streams.config.variant_writing import variant_maker
from streams.lines import count_lines, read_lines

AttributesByRow = dict[str, tuple[str, ...]]
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
    wanted = _Wanted(
        arms=_chosen(rows, attributes),
        seed=settings.seed if seed is None else seed,
        draws=(0, 1) if placebo else (0,),
        show=None if as_json else diff_text if diff else json_line,
    )
    made = asyncio.run(_perturb_file(settings, file, wanted))
    if as_json:
        numbers = {row: figures.model_dump() for row, figures in made.stats.by_row().items()}
        click.echo(json.dumps({"rows": numbers}, indent=2))
    elif stats:
        show_aside(variant_table(made.stats.by_row()))
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(made.statuses.items())) or "no variants"
    say(
        f"{made.transcripts:,} transcripts: {counts}"
        + (f"; {made.bad_lines:,} lines could not be read" if made.bad_lines else "")
    )
    if made.bad_lines:
        raise click.exceptions.Exit(1)


@dataclass(frozen=True)
class _Wanted:
    """Which variants are asked for, and how one is shown; None: not at all."""

    arms: AttributesByRow
    seed: int
    draws: tuple[int, ...]
    show: Callable[[Transcript, Variant], str] | None


@dataclass
class _Made:
    """What a run came to."""

    stats: VariantStats = field(default_factory=VariantStats)
    statuses: Counter[str] = field(default_factory=Counter)
    transcripts: int = 0
    bad_lines: int = 0


async def _perturb_file(settings: Settings, file: str, wanted: _Wanted) -> _Made:
    made = _Made()
    async with AsyncExitStack() as cleanup:
        maker = await cleanup.enter_async_context(variant_maker(settings, os.environ))
        with readable(file), progress_bar() as progress:
            task = progress.add_task("perturbing", total=count_lines(file))
            for number, line in read_lines(file):
                progress.advance(task)
                try:
                    transcript = read_transcript(line, max_bytes=settings.sampling.max_transcript_bytes)
                except RecordError as error:
                    say(f"line {number}: {error}")
                    made.bad_lines += 1
                    continue
                made.transcripts += 1
                for row, variants in (await _variants(maker, transcript, wanted)).items():
                    made.statuses.update(variant.status for variant in variants)
                    if row != ROBUSTNESS:
                        made.stats.add(transcript, row, variants)
                    if wanted.show is not None:
                        for variant in variants:
                            click.echo(wanted.show(transcript, variant))
    return made


async def _variants(maker: VariantMaker, transcript: Transcript, wanted: _Wanted) -> dict[str, list[Variant]]:
    """By row, each attribute's variant and each draw of it; the original itself isn't drawn and has no placebo."""

    async def of_row(row: str, attributes: Iterable[str]) -> list[Variant]:
        if row == ROBUSTNESS:
            return [make_original(transcript)]
        arms = [
            (attribute, draw)
            for attribute in attributes
            for draw in (wanted.draws[:1] if ROWS[row].is_original(attribute) else wanted.draws)
        ]
        made = (
            maker.variant(transcript, ROWS[row], attribute, seed=wanted.seed, draw=draw) for attribute, draw in arms
        )
        return list(await asyncio.gather(*made))

    rows = await asyncio.gather(*(of_row(row, attributes) for row, attributes in wanted.arms.items()))
    return dict(zip(wanted.arms, rows, strict=True))


def json_line(transcript: Transcript, variant: Variant) -> str:
    """The variant as one line of JSON."""
    return variant.model_dump_json(exclude={"draw"} if variant.draw == 0 else set())


def diff_text(transcript: Transcript, variant: Variant) -> str:
    """The variant for people, in colours where a terminal shows it."""
    paint = COLOURS if sys.stdout.isatty() and "NO_COLOR" not in os.environ else MARKS
    return "\n".join(diff_lines(transcript, variant, paint))


def _chosen(rows: Sequence[str], attributes: Sequence[str]) -> AttributesByRow:
    known = {**{name: row.attributes for name, row in ROWS.items()}, ROBUSTNESS: (ORIGINAL,)}
    unknown = sorted(set(rows) - set(known))
    if unknown:
        raise InputError(f"--row: no such row {unknown[0]!r}; allowed: {', '.join(known)}")
    allowed = {name: values for name, values in known.items() if (name in rows if rows else name in ROWS)}
    for attribute in attributes:
        if not any(attribute in values for values in allowed.values()):
            known_values = ", ".join(sorted({value for values in allowed.values() for value in values}))
            raise InputError(f"--attribute: no such attribute {attribute!r}; allowed: {known_values}")
    chosen = {
        name: tuple(value for value in values if not attributes or value in attributes)
        for name, values in allowed.items()
    }
    return {name: values for name, values in chosen.items() if values}
