"""A measurement as a table for the terminal, laid out like the paper's Table 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from metrics.figures.caveats import REACTS, caveats, has_evaluations, reacts
from metrics.figures.clusters import SCORES, ScoreName
from metrics.figures.figure_records import FlipFigures, Masd
from metrics.figures.measurement import Measurement, SystemFigures
from metrics.tables.cells import percent, points
from metrics.tables.direction import direction_table
from metrics.tables.verdicts import in_words, verdicts_table
from perturbations.rows import ROBUSTNESS, ROWS

_SHORT: Mapping[ScoreName, str] = {"confidence": "conf.", "positive": "pos.", "improvement": "impr."}


class PlantedScores(Protocol):
    """Expected MASDs in points."""

    @property
    def confidence(self) -> float: ...  # noqa: D102
    @property
    def positive(self) -> float: ...  # noqa: D102
    @property
    def improvement(self) -> float: ...  # noqa: D102


class PlantedFigures(Protocol):
    """What a perfect measurement would find, where the judge's truth is known."""

    @property
    def cfr(self) -> float: ...  # noqa: D102
    @property
    def masd(self) -> PlantedScores: ...  # noqa: D102
    @property
    def favours(self) -> str | None: ...  # noqa: D102


def figures_table(measurement: Measurement, *, planted: Mapping[str, PlantedFigures] | None = None) -> RenderableType:
    """The rows' verdicts and figures, why, who is favoured, and caveats; one of each system where there are several.

    Rows without any evaluation are named in a caveat instead of a line. `planted` adds the truth by row, with
    `robustness` among the keys.
    """
    truth = planted or {}
    if measurement.by_system is None or measurement.system is not None:
        return Group(*_system(measurement, truth, _title(measurement)), *_caveats(measurement, measurement))
    return Group(
        *(
            part
            for key, figures in measurement.by_system.items()
            for part in (*_system(figures, truth, _title(figures, key)), *_caveats(figures, None))
        ),
        *_caveats(None, measurement),
    )


def _title(figures: SystemFigures, key: str | None = None) -> str:
    models = ", ".join(judge.served_model or judge.model for judge in figures.judge.judges if judge.model)
    return " · ".join(part for part in ("Fairness of the judge", models, key) if part)


def _system(figures: SystemFigures, truth: Mapping[str, PlantedFigures], title: str) -> Iterator[RenderableType]:
    yield _table(figures, truth, title=title)
    favours = {name: truth[name].favours for name in ROWS if name in truth} if truth else None
    for part in (verdicts_table(figures), direction_table(figures, planted=favours)):
        if part is not None:
            yield part


def _caveats(figures: SystemFigures | None, measurement: Measurement | None) -> Iterator[RenderableType]:
    for sentence in caveats(figures, measurement):
        yield Text(f"  {sentence}", style="yellow" if sentence.startswith("!") else "dim")


def _table(figures: SystemFigures, planted: Mapping[str, PlantedFigures], *, title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("row", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for name in ("CFR %", "planted") if planted else ("CFR %",):
        table.add_column(name, justify="right")
    for score in SCORES:
        table.add_column(f"MASD\n{_SHORT[score]}", justify="right")
    table.add_column("compared /\ntranscripts", justify="right")
    for name, row in figures.rows.items():
        if not has_evaluations(row):
            continue
        marked = REACTS if reacts(row) else " "
        title = f"{marked} {ROWS[name].title}"
        _add(table, title, row, planted, name, verdict=in_words(row), masd=row.masd)
    table.add_section()
    robustness = figures.robustness
    _add(table, "  Robustness (repeats)", robustness, planted, ROBUSTNESS, verdict="", masd=robustness.masd)
    return table


def _add(
    table: Table,
    title: str,
    figures: FlipFigures,
    planted: Mapping[str, PlantedFigures],
    name: str,
    *,
    verdict: str,
    masd: Masd,
) -> None:
    truth = planted.get(name)
    reason = figures.reasons.get("cfr", "")
    cfr = Text(reason, style="dim") if figures.cfr is None else Text(percent(figures.cfr, figures.cfr_interval))
    cells: list[str | Text] = [cfr]
    if planted:
        cells.append("" if truth is None else f"{100 * truth.cfr:.1f}")
    for score in SCORES:
        value = masd.of(score).value
        beside = "" if truth is None else f" ({_planted_score(truth.masd, score):.1f})"
        cells.append("-" if value is None else points(value) + beside)
    table.add_row(title, verdict, *cells, f"{figures.comparisons:,} / {figures.transcripts:,}")


def _planted_score(scores: PlantedScores, score: ScoreName) -> float:
    return {"confidence": scores.confidence, "positive": scores.positive, "improvement": scores.improvement}[score]
