"""A plan as a table for the terminal."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from metrics.planning.plan import Needs, Plan
from perturbations.rows import ROWS

_LIMITS = {
    "traffic": "the traffic",
    "calls_per_day": "the judge's calls per day",
    "dollars_per_day": "the judge's dollars per day",
}


def plan_table(plan: Plan) -> Group:
    """Each row with what it takes alone, all of them together, and what isn't known."""
    table = Table(
        title=f"For a CFR of ± {100 * plan.precision:g} points",
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("row", no_wrap=True)
    for name in ("CFR %", "seen on", "transcripts", "judge calls", "dollars", "days", "with fewer arms: calls"):
        table.add_column(name, justify="right")
    for name, row in plan.rows.items():
        seen = f"{row.seen_transcripts:,}" if row.seen_transcripts else "assumed"
        fewer = ", ".join(f"{design.arms}: {design.calls:,}" for design in row.designs)
        table.add_row(ROWS[name].title, f"{100 * row.cfr:.1f}", seen, *_needs(row.needs), fewer)
    table.add_section()
    table.add_row("All rows together", "", "", *_needs(plan.total), "")
    sentences = [f"A transcript takes {plan.calls_per_transcript:,.1f} calls on average."]
    if plan.total.limited_by is not None:
        sentences.append(f"The days come from {_LIMITS[plan.total.limited_by]}.")
    sentences += [f"{name}: {reason}." for name, reason in plan.reasons.items()]
    return Group(table, *(Text(f"  {line}", style="dim") for line in sentences))


def _needs(needs: Needs) -> tuple[str, ...]:
    dollars = "unknown" if needs.dollars is None else f"{needs.dollars:,.2f}"
    days = "unknown" if needs.days is None else f"{needs.days:,.2g}" if needs.days < 10 else f"{needs.days:,.0f}"
    return (f"{needs.transcripts:,}", f"{needs.calls:,}", dollars, days)
