"""What became of the variants, as a table for people."""

from __future__ import annotations

from collections.abc import Mapping

from rich.box import SIMPLE_HEAD
from rich.table import Table

from perturbations.variant_stats import RowStats


def variant_table(rows: Mapping[str, RowStats]) -> Table:
    """One line a row: transcripts, those that are complete, variants by what became of them, agent turns changed.

    Placebos have a column of their own where any was asked for: how many of them there are.
    """
    with_placebo = any(stats.placebo is not None for stats in rows.values())
    table = Table(box=SIMPLE_HEAD, title="Variants by row", title_justify="left")
    table.add_column("row")
    for name in ("transcripts", "complete", "accepted", "retried", "rejected", "not applicable", "turns changed"):
        table.add_column(name, justify="right")
    if with_placebo:
        table.add_column("placebos", justify="right")
    table.add_column("reasons")
    for row, stats in rows.items():
        reasons = {**stats.rejected, **stats.not_applicable}
        table.add_row(
            row,
            f"{stats.transcripts:,}",
            f"{stats.complete:,} ({stats.complete / stats.transcripts:.0%})",
            f"{stats.accepted:,}",
            f"{stats.retried:,}",
            f"{sum(stats.rejected.values()):,}",
            f"{sum(stats.not_applicable.values()):,}",
            "-" if stats.agent_turns_changed_share is None else f"{stats.agent_turns_changed_share:.0%}",
            *([_placebos(stats)] if with_placebo else []),
            ", ".join(f"{reason} {count:,}" for reason, count in reasons.items()),
        )
    return table


def _placebos(stats: RowStats) -> str:
    return "-" if stats.placebo is None else f"{stats.placebo.accepted:,}"
