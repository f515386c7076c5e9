"""Two measurements side by side: the same rows before and after a change of judge, model or prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from evaluators.evaluation import Evaluation, Judge
from metrics.figures.row_change import RowChange, row_changes
from metrics.figures.thresholds import DEFAULT, Thresholds
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import arm_fault, pair_evaluations
from metrics.pairs.systems import by_system, choose_system, judges_of
from perturbations.records.reading import OWN
from perturbations.rows import ROBUSTNESS, ROWS


class ComparedSystem(BaseModel):
    """One side of a comparison: which system it is (None: nothing was evaluated), and over how much."""

    model_config = OWN

    system: str | None
    judges: tuple[Judge, ...]
    evaluations: int
    transcripts: int


class SystemComparison(BaseModel):
    """What changed from one side to the other; every `change` is after minus before."""

    model_config = OWN

    before: ComparedSystem
    after: ComparedSystem
    rows: dict[str, RowChange]
    robustness: RowChange


def compare_systems(
    before: Iterable[Evaluation],
    after: Iterable[Evaluation],
    *,
    before_system: str | None = None,
    after_system: str | None = None,
    thresholds: Thresholds = DEFAULT,
) -> SystemComparison:
    """Each row's change from `before` to `after`, over all transcripts of either side.

    The systems are keys of `metrics.pairs.systems.system_key`, needed on a side that holds several. Raises
    MeasureError where one is needed or isn't there.
    """
    system_before, evaluations_before = _side(before, before_system, where="before the change")
    system_after, evaluations_after = _side(after, after_system, where="after the change")
    changes = row_changes(
        pair_evaluations(evaluations_before), pair_evaluations(evaluations_after), needed=thresholds
    )
    return SystemComparison(
        before=system_before,
        after=system_after,
        rows={name: changes[name] for name in ROWS},
        robustness=changes[ROBUSTNESS],
    )


def _side(
    evaluations: Iterable[Evaluation], system: str | None, *, where: str
) -> tuple[ComparedSystem, Sequence[Evaluation]]:
    systems = by_system(e for e in deduplicate(evaluations).evaluations if arm_fault(e) is None)
    key = choose_system(systems, system, where=where)
    chosen = [] if key is None else systems[key]
    side = ComparedSystem(
        system=key,
        judges=judges_of(chosen),
        evaluations=len(chosen),
        transcripts=len({e.transcript_id for e in chosen}),
    )
    return side, chosen
