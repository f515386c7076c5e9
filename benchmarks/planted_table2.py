"""Plants the paper's Table 2 in simulated judges and measures it back: 18 judges, 15 rows.

    python -m benchmarks.planted_table2 [--transcripts 60] [--questions 30]

Each judge has the CFR and the three MASDs that the paper reports for it (arXiv 2602.14970, Table 2, real transcripts;
`data/table2.csv`), the robustness row as its own noise between repeats. A transcript has a flip probability of its
own, with a correlation of 0.1 between its comparisons. Prints planted beside measured and the share of intervals that
hold the planted figure. (The paper's style rows look like multiples of 1/121.)
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluators.evaluation import Answer, Evaluation
from metrics.estimators.interval import Interval
from metrics.figures.clusters import SCORES, ScoreName
from metrics.figures.measure import measure
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS

DATA = Path(__file__).parent / "data" / "table2.csv"
ICC = 0.1
BASE = 50.0
"""Every score before its shift: no shift then leaves 0 to 100."""


@dataclass(frozen=True)
class Planted:
    """One cell of Table 2: a ratio and three figures in points."""

    cfr: float
    masd: dict[ScoreName, float]


@dataclass(frozen=True)
class Cell:
    """One planted figure with what was measured of it."""

    model: str
    row: str
    figure: str
    planted: float
    measured: float | None
    interval: Interval | None

    @property
    def covered(self) -> bool:
        """Whether the interval holds the planted figure."""
        return self.interval is not None and self.interval[0] <= self.planted <= self.interval[1]


def table2() -> dict[str, dict[str, Planted]]:
    """The paper's cells by model and row, `robustness` among the rows."""
    table: dict[str, dict[str, Planted]] = {}
    with DATA.open(encoding="utf-8", newline="") as source:
        for line in csv.DictReader(source):
            masd: dict[ScoreName, float] = {score: float(line[f"masd_{score}"]) for score in SCORES}
            table.setdefault(line["model"], {})[line["row"]] = Planted(float(line["cfr_percent"]) / 100, masd)
    return table


def measured_cells(
    model: str, planted: dict[str, Planted], *, transcripts: int, questions: int, seed: int
) -> list[Cell]:
    """Every figure of one judge, planted and measured."""
    measurement = measure(simulate(model, planted, transcripts=transcripts, questions=questions, seed=seed))
    cells = []
    for row, truth in planted.items():
        figures = measurement.robustness if row == ROBUSTNESS else measurement.rows[row]
        cells.append(Cell(model, row, "cfr", truth.cfr, figures.cfr, figures.cfr_interval))
        for score in SCORES:
            masd = getattr(figures.masd, score)
            cells.append(Cell(model, row, score, truth.masd[score], masd.value, masd.interval))
    return cells


def simulate(
    model: str, planted: dict[str, Planted], *, transcripts: int, questions: int, seed: int
) -> Iterator[Evaluation]:
    """Evaluations of a judge whose figures are these, whatever the pair of arms.

    In a transcript with flip probability p an item is sensitive with probability 2p, and a sensitive item's answer is
    a fair coin in every arm: two arms differ with probability p. Scores move by +a or -a in the same way, so that the
    mean absolute difference of two arms is a.
    """
    rng = np.random.default_rng([seed, *model.encode()])
    for row, truth in planted.items():
        arms = [(ROBUSTNESS, ORIGINAL, 0), (ROBUSTNESS, ORIGINAL, 1)]
        if row != ROBUSTNESS:
            arms = [(row, attribute, 0) for attribute in ROWS[row].attributes if not ROWS[row].is_original(attribute)]
        shared = [] if row == ROBUSTNESS or ROWS[row].original_attribute is None else [ORIGINAL]
        for i in range(transcripts):
            drawn = _arms(rng, truth, len(arms) + len(shared), questions)
            # The original is one evaluation for all rows, so rows that contain it are simulated with their own.
            places = [*arms, *((row, ROWS[row].original_attribute or "", 0) for _ in shared)]
            for place, arm in zip(places, drawn, strict=True):
                yield _evaluation(f"{row}-{i}" if row in _OWN_ORIGINAL else f"c-{i}", place, arm)


_OWN_ORIGINAL = {name for name, row in ROWS.items() if row.original_attribute is not None}


@dataclass(frozen=True)
class _Arm:
    answers: NDArray[np.bool_]
    confidences: NDArray[np.float64]
    positive: float
    improvement: float


def _arms(rng: np.random.Generator, truth: Planted, count: int, questions: int) -> list[_Arm]:
    p = 0.0
    if truth.cfr > 0:
        mean, spread = 2 * truth.cfr, (1 - ICC) / ICC
        p = 0.5 * rng.beta(mean * spread, (1 - mean) * spread)
    sensitive = rng.random(questions) < 2 * p
    base = rng.random(questions) < 0.8
    size = rng.uniform(0.7, 1.3, 3)
    made = []
    for _ in range(count):
        coin = rng.random(questions) < 0.5
        signs = rng.choice([-1.0, 1.0], questions + 2)
        made.append(
            _Arm(
                answers=np.where(sensitive, coin, base),
                confidences=BASE + truth.masd["confidence"] * size[0] * signs[:questions],
                positive=float(BASE + truth.masd["positive"] * size[1] * signs[-2]),
                improvement=float(BASE + truth.masd["improvement"] * size[2] * signs[-1]),
            )
        )
    return made


def _evaluation(transcript_id: str, place: tuple[str, str, int], arm: _Arm) -> Evaluation:
    answers = tuple(
        Answer.model_construct(question_id=f"q{i:02}", answer="yes" if yes else "no", confidence=float(confidence))
        for i, (yes, confidence) in enumerate(zip(arm.answers, arm.confidences, strict=True))
    )
    return Evaluation(
        transcript_id=transcript_id,
        row=place[0],
        attribute=place[1],
        repeat=place[2],
        outcome="ok",
        answers=answers,
        positive_score=arm.positive,
        improvement_score=arm.improvement,
    )


def main() -> None:
    """Print planted and measured CFR for every judge and row, and how many intervals hold each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--transcripts", type=int, default=60)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    cells: list[Cell] = []
    for model, planted in table2().items():
        here = measured_cells(
            model, planted, transcripts=options.transcripts, questions=options.questions, seed=options.seed
        )
        cells += here
        print(f"{model}\n  {'row':22} {'planted':>8} {'measured':>9}   interval, CFR in %")
        for cell in here:
            if cell.figure == "cfr":
                low, high = cell.interval or (float("nan"), float("nan"))
                mark = "" if cell.covered else "   missed"
                print(
                    f"  {cell.row:22} {100 * cell.planted:8.2f} {100 * (cell.measured or 0):9.2f}   "
                    f"{100 * low:5.2f} to {100 * high:5.2f}{mark}"
                )
    for figure in ("cfr", *SCORES):
        covered = [cell.covered for cell in cells if cell.figure == figure and cell.row != ROBUSTNESS]
        hits = sum(covered)
        print(f"{figure:12} planted figure inside the interval: {hits} of {len(covered)} ({hits / len(covered):.1%})")


if __name__ == "__main__":
    main()
