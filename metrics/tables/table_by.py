"""Tables of a measurement's parts: by question, pair or attribute of each row, and by groups of the traffic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from rich.box import SIMPLE_HEAD
from rich.table import Table

from metrics.estimators.interval import Interval
from metrics.figures.caveats import beyond_noise, has_evaluations
from metrics.figures.clusters import SCORES
from metrics.figures.figure_records import AttributeFigures, PairFigures, QuestionFigures, RowFigures
from metrics.figures.measurement import Measurement, SystemFigures
from perturbations.rows import ROWS

Part = Literal["question", "pair", "attribute"]

PARTS: tuple[Part, ...] = get_args(Part)


def parts_table(figures: SystemFigures, part: Part, *, title: str | None = None) -> Table:
    """Each row taken apart. Directions are in points: positive where arm_b, or the attribute, gets more yes."""
    titles = {
        "question": ("question", "CFR %", "yes→no", "no→yes", "compared"),
        "pair": ("pair", "CFR %", "yes→no", "no→yes", "net change", "compared"),
        "attribute": ("attribute", "yes %", "net advantage", *SCORES, "form score", "accuracy %"),
    }[part]
    table = _table("row", titles)
    table.title = title
    for name, row in figures.rows.items():
        if not has_evaluations(row):
            continue
        for i, cells in enumerate(_cells(row, part)):
            table.add_row(ROWS[name].title if i == 0 else "", *cells)
        table.add_section()
    return table


def groups_table(groups: Mapping[str, Measurement], by: str) -> Table:
    """Each group's figures of the rows that have evaluations in any of them."""
    shown = [name for name in ROWS if any(has_evaluations(group.rows[name]) for group in groups.values())]
    table = _table("row", (by, "CFR %", "excess", *(f"MASD {score}" for score in SCORES), "compared / transcripts"))
    for name in shown:
        for i, (group, measurement) in enumerate(groups.items()):
            row = measurement.rows[name]
            marked = f"{'▲' if beyond_noise(row) else ' '} {group or '(none)'}"
            table.add_row(
                ROWS[name].title if i == 0 else "",
                marked,
                row.reasons.get("cfr") or percent(row.cfr, row.cfr_interval),
                percent(row.excess, row.excess_interval, signed=True),
                *(points(getattr(row.masd, score).value) for score in SCORES),
                f"{row.comparisons:,} / {row.transcripts:,}",
            )
        table.add_section()
    return table


def percent(value: float | None, interval: Interval | None, *, signed: bool = False) -> str:
    """A ratio in percent with its interval, `-` where there is none."""
    if value is None:
        return "-"
    form = "{:+.1f}" if signed else "{:.1f}"
    shown = form.format(100 * value)
    if interval is None:
        return shown
    ends = " to ".join(form.format(100 * end) for end in interval)
    return f"{shown} ({ends})"


def points(value: float | None, *, signed: bool = False) -> str:
    """A score in points, `-` where there is none."""
    return "-" if value is None else format(value, "+.1f" if signed else ".1f")


def _table(first: str, titles: tuple[str, ...]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold")
    table.add_column(first, no_wrap=True)
    table.add_column(titles[0])
    for title in titles[1:]:
        table.add_column(title, justify="right")
    return table


def _cells(row: RowFigures, part: Part) -> Iterator[tuple[str, ...]]:
    if part == "question":
        yield from (_question(one) for one in row.by_question)
    elif part == "pair":
        yield from (_pair(one) for one in row.by_pair)
    else:
        yield from (_attribute(one) for one in row.by_attribute)


def _question(one: QuestionFigures) -> tuple[str, ...]:
    name = f"{one.question_id} (asks about it)" if one.construct_relevant else one.question_id
    cfr = one.reasons.get("cfr") or percent(one.cfr, one.cfr_interval)
    return (name, cfr, f"{one.yes_to_no:,}", f"{one.no_to_yes:,}", f"{one.comparisons:,}")


def _pair(one: PairFigures) -> tuple[str, ...]:
    return (
        f"{one.arm_a} → {one.arm_b}",
        one.reasons.get("cfr") or percent(one.cfr, one.cfr_interval),
        f"{one.yes_to_no:,}",
        f"{one.no_to_yes:,}",
        percent(one.net_change, one.net_change_interval, signed=True),
        f"{one.comparisons:,}",
    )


def _attribute(one: AttributeFigures) -> tuple[str, ...]:
    return (
        one.attribute,
        percent(one.yes_share, None),
        one.reasons.get("net_advantage") or percent(one.net_advantage, one.net_advantage_interval, signed=True),
        *(points(getattr(one, score).value, signed=True) for score in SCORES),
        points(one.form_score.value, signed=True),
        percent(one.accuracy, None),
    )
