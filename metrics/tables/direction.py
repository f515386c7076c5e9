"""Who is favoured, as a table: each row's extremes, and what they come to on the form."""

from __future__ import annotations

from collections.abc import Mapping

from rich.box import SIMPLE_HEAD
from rich.table import Table

from metrics.figures.caveats import FAVOURED, has_evaluations
from metrics.figures.measurement import SystemFigures
from metrics.tables.cells import percent, points
from perturbations.rows import ROWS


def direction_table(figures: SystemFigures, *, planted: Mapping[str, str | None] | None = None) -> Table | None:
    """Each row with a direction that is known; None where there is none at all.

    Points of yes are P(yes | attribute) minus the mean over the other attributes; their intervals hold for all
    attributes of the row at once. The form's score and its passes are compared between the arms of a pair. `planted`
    adds whom the judge is made to favour, None for nobody.
    """
    shown = {
        name: row for name, row in figures.rows.items() if has_evaluations(row) and row.direction.most is not None
    }
    if not shown:
        return None
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold")
    table.title = f"Who is favoured ({FAVOURED} beyond chance)"
    for name in ("row", "most\nfavoured"):
        table.add_column(name, no_wrap=True)
    if planted is not None:
        table.add_column("planted", no_wrap=True)
    table.add_column("points\nof yes", justify="right", no_wrap=True)
    table.add_column("least\nfavoured", no_wrap=True)
    for name in ("", "form\nscore ±", "passes that\nchange %"):
        table.add_column(name, justify="right", no_wrap=not name)
    for name, row in shown.items():
        ends = row.direction
        table.add_row(
            f"{FAVOURED if ends.beyond_chance else ' '} {ROWS[name].title}",
            ends.most,
            *(() if planted is None else (planted.get(name) or "nobody",)),
            percent(ends.most_advantage, ends.most_interval, signed=True),
            ends.least,
            percent(ends.least_advantage, None, signed=True),
            points(row.form.score_difference),
            percent(row.form.pass_change, None),
        )
    return table
