"""The demo's page: the live table and a chart per row, on loopback."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from aiohttp import web

from evaluators.simulated.truth import PlantedTruth
from metrics.alarms.alarms import Alarm
from metrics.figures.clusters import SCORES
from metrics.live.favoured import Favoured
from metrics.live.window import WindowFigures
from metrics.tables.alarms import ALARM_TITLES, e_value
from perturbations.rows import ROBUSTNESS, ROWS
from streams.demo.now import Now
from streams.demo.progress import Position
from streams.embedded.errors import PortInUse

TruthByRow = Mapping[str, PlantedTruth]
"""The planted truth by row, where the judge has one."""


class LiveFigures:
    """What the page shows: the latest figures and how each row's came about."""

    def __init__(self, rows: Iterable[str], planted: TruthByRow, *, alpha: float) -> None:
        self._rows = [*rows, ROBUSTNESS]
        self._planted = planted
        self._alpha = alpha
        self._favoured: dict[str, Favoured] = {}
        self._alarms: Sequence[Alarm] = ()
        self._figures: dict[str, WindowFigures] = {}
        self._history: dict[str, list[dict[str, Any]]] = {row: [] for row in self._rows}
        self._state = {"done": 0, "expected": 0, "transcripts": 0, "finished": False}

    def update(self, now: Now, position: Position, *, finished: bool) -> None:
        """Take the next figures; a row's history grows where its comparisons did."""
        self._figures = {figures.row: figures for figures in now.figures}
        self._favoured = {favoured.row: favoured for favoured in now.favoured}
        self._alarms = now.alarms
        self._state = {
            "done": position.progress.evaluations,
            "expected": position.expected,
            "transcripts": position.progress.transcripts,
            "finished": finished,
        }
        for row, figures in self._figures.items():
            seen = self._history.setdefault(row, [])
            if not seen or seen[-1]["comparisons"] != figures.comparisons:
                seen.append(
                    {"comparisons": figures.comparisons, "cfr": figures.cfr, "interval": figures.cfr_interval}
                )

    def as_json(self) -> dict[str, Any]:
        """The page's data. Titles and counts only: no transcript's text or id."""
        return {
            **self._state,
            "rows": [self._row(row) for row in self._rows],
            "history": self._history,
            "alpha": self._alpha,
            "alarms": [
                {
                    "title": ROWS[alarm.row].title,
                    "told": ALARM_TITLES[alarm.kind],
                    "transcripts": alarm.transcripts,
                    "before": alarm.before,
                    "after": alarm.after,
                    "evidence": e_value(alarm.log_e_value),
                }
                for alarm in self._alarms
            ],
        }

    def _row(self, row: str) -> dict[str, Any]:
        figures = self._figures.get(row) or WindowFigures(row, "", "", 0, 0, reasons={"cfr": "nothing compared yet"})
        truth = self._planted.get(row)
        most = self._favoured.get(row)
        return {
            "row": row,
            "title": ROWS[row].title if row in ROWS else "Robustness (repeats)",
            "comparisons": figures.comparisons,
            "transcripts": figures.transcripts,
            "cfr": figures.cfr,
            "cfr_interval": figures.cfr_interval,
            "excess": figures.excess,
            "excess_interval": figures.excess_interval,
            "excess_placebo": figures.excess_placebo,
            "excess_placebo_interval": figures.excess_placebo_interval,
            "verdict": None
            if figures.verdict is None
            else {
                "word": figures.verdict.verdict,
                "in_words": figures.verdict.in_words,
                "reason": figures.verdict.reason,
            },
            "favoured": None
            if most is None
            else {
                "attribute": most.direction.most,
                "value": most.direction.most_advantage,
                "interval": most.direction.most_interval,
                "beyond_chance": most.direction.beyond_chance,
            },
            "reason": figures.reason,
            "masd": {score: figures.masd.get(score) for score in SCORES},
            "planted": {
                "cfr": truth.cfr if truth is not None else None,
                "favours": truth.favours if truth is not None else None,
                **{score: truth.masd.of(score) if truth is not None else None for score in SCORES},
            },
        }


@asynccontextmanager
async def live_page(figures: LiveFigures, port: int) -> Any:
    """Serve the page while the context lasts; gives its address. Raises PortInUse."""

    async def page(_: web.Request) -> web.Response:
        text = files("streams.demo").joinpath("page.html").read_text(encoding="utf-8")
        return web.Response(text=text, content_type="text/html", headers={"Content-Security-Policy": _POLICY})

    async def data(_: web.Request) -> web.Response:
        return web.json_response(figures.as_json())

    app = web.Application()
    app.add_routes([web.get("/", page), web.get("/live.json", data)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
        except OSError:
            raise PortInUse("the live page", port) from None
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
