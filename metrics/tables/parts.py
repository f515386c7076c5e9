"""Tables of a measurement's parts: by question, pair or attribute of each row, and by groups of the traffic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.box import SIMPLE_HEAD
from rich.table import Table

from metrics.figures.caveats import REACTS, has_evaluations, reacts
from metrics.figures.clusters import SCORES
from metrics.figures.figure_records import (
    AttributeFigures,
    FlipFigures,
    PairFigures,
    QuestionFigures,
    RowFigures,
    RowPart,
)
from metrics.figures.measurement import Measurement, SystemFigures
from metrics.tables.cells import percent, points
from metrics.tables.verdicts import in_words
from perturbations.rows import ROWS


def parts_table(figures: SystemFigures, part: RowPart, *, title: str | None = None) -> Table:
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
    masds = (f"MASD {score}" for score in SCORES)
    table = _table("row", (by, "verdict", "CFR %", "excess", *masds, "compared / transcripts"))
    for name in shown:
        for i, (group, measurement) in enumerate(groups.items()):
            row = measurement.rows[name]
            marked = f"{REACTS if reacts(row) else ' '} {group or '(none)'}"
            table.add_row(
                ROWS[name].title if i == 0 else "",
                marked,
                in_words(row),
                _cfr(row),
                percent(row.excess, row.excess_interval, signed=True),
                *(points(row.masd.of(score).value) for score in SCORES),
                f"{row.comparisons:,} / {row.transcripts:,}",
            )
        table.add_section()
    return table


def _table(first: str, titles: tuple[str, ...]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold")
    table.add_column(first, no_wrap=True)
    table.add_column(titles[0])
    for title in titles[1:]:
        table.add_column(title, justify="right")
    return table


def _cells(row: RowFigures, part: RowPart) -> Iterator[tuple[str, ...]]:
    if part == "question":
        yield from (_question(question) for question in row.by_question)
    elif part == "pair":
        yield from (_pair(pair) for pair in row.by_pair)
    else:
        yield from (_attribute(attribute) for attribute in row.by_attribute)


def _question(question: QuestionFigures) -> tuple[str, ...]:
    name = f"{question.question_id} (asks about it)" if question.construct_relevant else question.question_id
    return (
        name,
        _cfr(question),
        f"{question.yes_to_no:,}",
        f"{question.no_to_yes:,}",
        f"{question.comparisons:,}",
    )


def _pair(pair: PairFigures) -> tuple[str, ...]:
    return (
        f"{pair.arm_a} → {pair.arm_b}",
        _cfr(pair),
        f"{pair.yes_to_no:,}",
        f"{pair.no_to_yes:,}",
        percent(pair.net_change, pair.net_change_interval, signed=True),
        f"{pair.comparisons:,}",
    )


def _cfr(figures: FlipFigures) -> str:
    return figures.reasons.get("cfr") or percent(figures.cfr, figures.cfr_interval)


def _attribute(figures: AttributeFigures) -> tuple[str, ...]:
    advantage = percent(figures.net_advantage, figures.net_advantage_interval, signed=True)
    scores = (figures.confidence, figures.positive, figures.improvement, figures.form_score)
    return (
        figures.attribute,
        percent(figures.yes_share, None),
        figures.reasons.get("net_advantage") or advantage,
        *(points(score.value, signed=True) for score in scores),
        percent(figures.accuracy, None),
    )
