"""What changed, as a table: each row before and after, with the interval of the difference."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from metrics.estimators.interval import Interval
from metrics.figures.clusters import SCORES
from metrics.figures.row_change import FigureChange, RowChange
from metrics.figures.system_comparison import ComparedSystem, SystemComparison
from metrics.tables.cells import percent
from perturbations.rows import ROWS

CHANGED = 0.05
"""Below this adjusted p, a row's CFR is marked as changed."""

_MARKS = {True: "▲", False: "▼"}


def change_table(comparison: SystemComparison) -> Table:
    """CFR before and after, the difference with its interval, and the differences of the MASDs, in points.

    Rows compared on neither side are left out. ▲ marks a CFR that rose, ▼ one that fell, at an adjusted p below 0.05.
    """
    table = Table(
        title=f"From {_models(comparison.before)} to {_models(comparison.after)}",
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("row", no_wrap=True)
    for name in ("CFR %\nbefore", "after", "change", "p adjusted", *(f"MASD\n{score}" for score in SCORES)):
        table.add_column(name, justify="right")
    table.add_column("transcripts", justify="right")
    for name, row in comparison.rows.items():
        if row.transcripts_before or row.transcripts_after:
            _add(table, f"{_mark(row)} {ROWS[name].title}", row)
    table.add_section()
    _add(table, "  Robustness (repeats)", comparison.robustness)
    return table


def _models(side: ComparedSystem) -> str:
    names = ", ".join(judge.served_model or judge.model for judge in side.judges if judge.model)
    return names or side.system or "unnamed"


def _mark(row: RowChange) -> str:
    if row.p_adjusted is None or row.p_adjusted >= CHANGED or row.cfr.change is None:
        return " "
    return _MARKS[row.cfr.change > 0]


def _add(table: Table, title: str, row: RowChange) -> None:
    cfr = row.cfr
    change = percent(cfr.change, cfr.interval, signed=True)
    table.add_row(
        title,
        percent(cfr.before, None),
        percent(cfr.after, None),
        Text(cfr.reason, style="dim") if cfr.change is None and cfr.reason else change,
        "-" if row.p_adjusted is None else f"{row.p_adjusted:.2g}",
        *(_points(row.masd.get(score)) for score in SCORES),
        f"{row.transcripts_before:,} / {row.transcripts_after:,}",
    )


def _points(change: FigureChange | None) -> str:
    if change is None or change.change is None:
        return "-"
    return f"{change.change:+.1f}{_ends(change.interval)}"


def _ends(interval: Interval | None) -> str:
    return "" if interval is None else " ({:+.1f} to {:+.1f})".format(*interval)
