"""Who is favoured, as a table: each row's extremes, what they come to on the form, and what placebos leave of it."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from metrics.figures.caveats import has_evaluations
from metrics.figures.figure_records import AttributeFigures, RowFigures
from metrics.figures.measurement import SystemFigures
from metrics.tables.table_by import percent, points
from perturbations.rows import ROWS

BEYOND_CHANCE = "*"
"""Marks a row with an advantage whose interval doesn't hold 0."""


def direction_table(figures: SystemFigures) -> Table | None:
    """Each row with a direction that can be told; None where there is none at all.

    Points of yes are P(yes | attribute) minus the mean over the other attributes. The form's score and its passes
    are compared between the arms of a pair.
    """
    held = {name: row for name, row in figures.rows.items() if has_evaluations(row) and extremes(row) is not None}
    if not held:
        return None
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold")
    table.title = f"Who is favoured ({BEYOND_CHANCE} beyond chance)"
    for name in ("row", "most\nfavoured"):
        table.add_column(name, no_wrap=True)
    table.add_column("points\nof yes", justify="right", no_wrap=True)
    table.add_column("least\nfavoured", no_wrap=True)
    for name in ("", "form\nscore ±", "passes that\nchange %", "CFR above\nplacebos"):
        table.add_column(name, justify="right")
    for name, row in held.items():
        most, least = extremes(row) or (None, None)
        table.add_row(
            f"{BEYOND_CHANCE if beyond_chance(row) else ' '} {ROWS[name].title}",
            "-" if most is None else most.attribute,
            "-" if most is None else percent(most.net_advantage, most.net_advantage_interval, signed=True),
            "-" if least is None else least.attribute,
            "-" if least is None else percent(least.net_advantage, None, signed=True),
            points(row.form.score_difference),
            percent(row.form.pass_change, None),
            _over_placebo(row),
        )
    return table


def extremes(row: RowFigures) -> tuple[AttributeFigures, AttributeFigures] | None:
    """The attributes with the largest and the smallest net advantage; None where fewer than two have one."""
    told = [part for part in row.by_attribute if part.net_advantage is not None]
    if len(told) < 2:
        return None
    ordered = sorted(told, key=lambda part: part.net_advantage or 0.0)
    return ordered[-1], ordered[0]


def beyond_chance(row: RowFigures) -> bool:
    """Whether the interval of either extreme's net advantage doesn't hold 0."""
    intervals = [part.net_advantage_interval for part in extremes(row) or ()]
    return any(interval is not None and not interval[0] <= 0 <= interval[1] for interval in intervals)


def _over_placebo(row: RowFigures) -> str:
    if row.placebo.pairs == 0:
        return "no placebos"
    return row.reasons.get("excess_placebo") or percent(row.excess_placebo, row.excess_placebo_interval, signed=True)
