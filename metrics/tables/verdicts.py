"""Why each row has its verdict, as a table: its CFR above what repeats and placebos turn."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from metrics.figures.caveats import has_evaluations
from metrics.figures.figure_records import RowFigures
from metrics.figures.measurement import SystemFigures
from metrics.tables.cells import percent
from metrics.verdicts.row_verdict import IN_WORDS, NO_PLACEBOS
from perturbations.rows import ROWS


def verdicts_table(figures: SystemFigures) -> Table | None:
    """Each row's evidence, and what is missing where it can't tell; None without any row.

    Points of CFR above repeats are what the judge does more than asking it again, above placebos what it does more
    than after another change of the same kind.
    """
    shown = {name: row for name, row in figures.rows.items() if has_evaluations(row)}
    if not shown:
        return None
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold")
    table.title = "Why: points of CFR above what else turns answers"
    table.add_column("row", no_wrap=True)
    table.add_column("above\nrepeats", justify="right", no_wrap=True)
    table.add_column("above\nplacebos", justify="right", no_wrap=True)
    table.add_column("with\nplacebos", justify="right", no_wrap=True)
    table.add_column("to tell, it takes")
    for name, row in shown.items():
        table.add_row(
            f"  {ROWS[name].title}",
            row.reasons.get("excess") or percent(row.excess, row.excess_interval, signed=True),
            _over_placebos(row),
            f"{row.placebo.transcripts:,}",
            row.reasons.get("verdict", ""),
        )
    return table


def in_words(row: RowFigures) -> str:
    """A row's verdict as its reader says it."""
    return IN_WORDS[row.verdict]


def _over_placebos(row: RowFigures) -> str:
    if row.placebo.pairs == 0:
        return NO_PLACEBOS
    return row.reasons.get("excess_placebo") or percent(row.excess_placebo, row.excess_placebo_interval, signed=True)
