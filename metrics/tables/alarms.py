"""Alarms as a table for the terminal, and each swap with what it changed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from metrics.alarms.alarms import Alarm
from metrics.alarms.state import Swap
from metrics.tables.cells import percent
from perturbations.rows import ROWS

ALARM_TITLES = {"excess": "beyond noise", "drift": "rose with a swap", "silent_drift": "rose silently"}

_SHORT = 12


def alarms_table(alarms: Sequence[Alarm], swaps: Sequence[Swap] = (), *, alpha: float) -> RenderableType:
    """The alarms in the order in which they were given; `alpha` is what they were given at."""
    if not alarms:
        return Group(Text(f"No alarms at alpha {alpha:g}."), *_swaps(swaps))
    table = Table(
        title=f"Alarms at alpha {alpha:g}",
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    for name in ("alarm", "row", "model", "epoch", "given at"):
        table.add_column(name, no_wrap=True)
    table.add_column("transcripts", justify="right")
    table.add_column("flips %\nbefore", justify="right")
    table.add_column("\nafter", justify="right")
    table.add_column("evidence\n(e-value)", justify="right")
    table.add_column("comes from", no_wrap=True)
    for alarm in alarms:
        table.add_row(
            ALARM_TITLES[alarm.kind],
            ROWS[alarm.row].title if alarm.row in ROWS else alarm.row,
            alarm.model,
            alarm.epoch[:_SHORT],
            f"{alarm.evaluated_at:%Y-%m-%d %H:%M}",
            f"{alarm.transcripts:,}",
            percent(alarm.before, None),
            percent(alarm.after, None),
            e_value(alarm.log_e_value),
            _origin(alarm),
        )
    return Group(table, *_swaps(swaps))


def _origin(alarm: Alarm) -> str:
    if alarm.attribution is None:
        return ""
    return {"judge": "the judge", "traffic": "the traffic"}.get(alarm.attribution.verdict or "", "unknown")


def e_value(log_e: float) -> str:
    """An e-value in two digits, from its logarithm: it may be larger than a float."""
    digits = math.floor(log_e / math.log(10))
    leading = round(math.exp(log_e - digits * math.log(10)), 1)
    return f"{leading:.1f}e{digits:+d}" if leading < 10 else f"1.0e{digits + 1:+d}"


def _swaps(swaps: Sequence[Swap]) -> Iterator[RenderableType]:
    for swap in swaps:
        changed = [
            f"{ROWS[row].title} {percent(change.change, change.interval, signed=True)}"
            for row, change in swap.rows.items()
            if change.interval is not None and not change.interval[0] <= 0 <= change.interval[1]
        ]
        announced = "announced" if swap.deployment_id is not None else "not announced"
        changes = ", ".join(changed) or "no row's CFR changed by more than chance"
        yield Text(
            f"  Swap of {swap.model} to epoch {swap.epoch[:_SHORT]} at {swap.began_at:%Y-%m-%d %H:%M} ({announced}), "
            f"points of CFR: {changes}.",
            style="dim",
        )
