"""Who is favoured, as a table: each row's extremes, what they come to on the form, and what placebos leave of it."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from metrics.figures.caveats import has_evaluations
from metrics.figures.extremes import extremes
from metrics.figures.figure_records import AttributeFigures, RowFigures
from metrics.figures.measurement import SystemFigures
from metrics.tables.cells import percent, points
from perturbations.rows import ROWS

BEYOND_CHANCE = "*"
"""Marks a row with an advantage whose interval doesn't hold 0."""


def direction_table(figures: SystemFigures) -> Table | None:
    """Each row with a direction that is known; None where there is none at all.

    Points of yes are P(yes | attribute) minus the mean over the other attributes. The form's score and its passes
    are compared between the arms of a pair.
    """
    shown = {
        name: (row, ends)
        for name, row in figures.rows.items()
        if has_evaluations(row) and (ends := most_and_least_favoured(row)) is not None
    }
    if not shown:
        return None
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold")
    table.title = f"Who is favoured ({BEYOND_CHANCE} beyond chance)"
    for name in ("row", "most\nfavoured"):
        table.add_column(name, no_wrap=True)
    table.add_column("points\nof yes", justify="right", no_wrap=True)
    table.add_column("least\nfavoured", no_wrap=True)
    for name in ("", "form\nscore ±", "passes that\nchange %", "CFR above\nplacebos"):
        table.add_column(name, justify="right")
    for name, (row, (most, least)) in shown.items():
        table.add_row(
            f"{BEYOND_CHANCE if beyond_chance(row) else ' '} {ROWS[name].title}",
            most.attribute,
            percent(most.net_advantage, most.net_advantage_interval, signed=True),
            least.attribute,
            percent(least.net_advantage, None, signed=True),
            points(row.form.score_difference),
            percent(row.form.pass_change, None),
            _over_placebo(row),
        )
    return table


def most_and_least_favoured(row: RowFigures) -> tuple[AttributeFigures, AttributeFigures] | None:
    """The attributes with the largest and the smallest net advantage; None where fewer than two have one."""
    return extremes(row.by_attribute, lambda attribute: attribute.net_advantage)


def beyond_chance(row: RowFigures) -> bool:
    """Whether the interval of either extreme's net advantage doesn't hold 0."""
    intervals = [attribute.net_advantage_interval for attribute in most_and_least_favoured(row) or ()]
    return any(interval is not None and not interval[0] <= 0 <= interval[1] for interval in intervals)


def _over_placebo(row: RowFigures) -> str:
    if row.placebo.pairs == 0:
        return "no placebos"
    return row.reasons.get("excess_placebo") or percent(row.excess_placebo, row.excess_placebo_interval, signed=True)
