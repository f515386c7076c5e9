"""`evenhand perturb`."""

from __future__ import annotations

from collections import Counter

import click

from perturbations.errors import RecordError
from perturbations.generate import WRITERS, make_original, make_variant
from perturbations.rows import ROBUSTNESS, ROWS, Row
from perturbations.transcript import Transcript, read_transcript
from perturbations.variant import Variant
from streams.cli.common import InputError, progress_bar, readable, say, with_settings
from streams.lines import count_lines, read_lines
from streams.settings import Settings


@click.command(
    epilog="Examples: evenhand perturb calls.jsonl > variants.jsonl;  "
    "evenhand perturb calls.jsonl --row agent_gender --attribute female"
)
@click.argument("file")
@click.option("--row", help="Only this row.")
@click.option("--attribute", help="Only this attribute.")
@click.option("--seed", type=int, help="The seed of all draws; the configuration's by default.")
@with_settings
def perturb(settings: Settings, *, file: str, row: str | None, attribute: str | None, seed: int | None) -> None:
    """Print every variant of every transcript in FILE (- for standard input) as JSON lines, in the file's order."""
    arms = _chosen(row, attribute)
    used_seed = settings.seed if seed is None else seed
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
            for arm_row, arm_attribute in arms:
                variant = _variant(transcript, arm_row, arm_attribute, used_seed)
                statuses[variant.status] += 1
                click.echo(variant.model_dump_json(exclude={"draw"} if variant.draw == 0 else set()))
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items())) or "no variants"
    say(f"{transcripts:,} transcripts: {counts}" + (f"; {bad:,} lines could not be read" if bad else ""))
    if bad:
        raise click.exceptions.Exit(1)


def _chosen(row: str | None, attribute: str | None) -> list[tuple[Row | None, str]]:
    """The arms that are asked for; a row of None is the robustness baseline's original."""
    if row == ROBUSTNESS:
        if attribute not in (None, "original"):
            raise InputError(f"--attribute: {ROBUSTNESS} has only original")
        return [(None, "original")]
    if row is not None and row not in ROWS:
        raise InputError(f"--row: no such row {row!r}; allowed: {', '.join([*ROWS, ROBUSTNESS])}")
    rows = [ROWS[row]] if row is not None else [ROWS[name] for name in ROWS if name in WRITERS]
    arms = [(each, value) for each in rows for value in each.attributes if attribute in (None, value)]
    if not arms:
        allowed = sorted({value for each in rows for value in each.attributes})
        raise InputError(f"--attribute: no such attribute {attribute!r}; allowed: {', '.join(allowed)}")
    return list(arms)


def _variant(transcript: Transcript, row: Row | None, attribute: str, seed: int) -> Variant:
    return make_original(transcript) if row is None else make_variant(transcript, row, attribute, seed=seed)
