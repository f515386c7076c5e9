"""Two measurements side by side: the same rows before and after a change of judge, model or prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from evaluators.evaluation import Evaluation, Judge
from metrics.errors import MeasureError
from metrics.figures.row_change import RowChange, changes
from metrics.figures.thresholds import DEFAULT, Thresholds
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import arm_fault, pair_evaluations
from metrics.pairs.systems import by_system, judges_of, told
from perturbations.rows import ROBUSTNESS, ROWS

RECORD = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Side(BaseModel):
    """One side of a comparison: which system it is (None: nothing was evaluated), and over how much."""

    model_config = RECORD

    system: str | None
    judges: tuple[Judge, ...]
    evaluations: int
    transcripts: int


class Comparison(BaseModel):
    """What changed from one side to the other; every `change` is after minus before."""

    model_config = RECORD

    before: Side
    after: Side
    rows: dict[str, RowChange]
    robustness: RowChange


def compare(
    before: Iterable[Evaluation],
    after: Iterable[Evaluation],
    *,
    before_system: str | None = None,
    after_system: str | None = None,
    thresholds: Thresholds = DEFAULT,
) -> Comparison:
    """Each row's change from `before` to `after`, over all transcripts of either side.

    The systems are keys of `metrics.pairs.systems.system_key`, needed on a side that holds several. Raises
    MeasureError where one is needed or isn't there.
    """
    sides = [_side(before, before_system, "before"), _side(after, after_system, "after")]
    found = changes(*(pair_evaluations(evaluations) for _, evaluations in sides), needed=thresholds)
    return Comparison(
        before=sides[0][0],
        after=sides[1][0],
        rows={name: found[name] for name in ROWS},
        robustness=found[ROBUSTNESS],
    )


def _side(evaluations: Iterable[Evaluation], system: str | None, name: str) -> tuple[Side, Sequence[Evaluation]]:
    systems = by_system(e for e in deduplicate(evaluations).evaluations if arm_fault(e) is None)
    if system is None and len(systems) > 1:
        raise MeasureError(f"{len(systems)} systems {name} the change, choose one: {told(systems)}")
    if system is not None and system not in systems:
        raise MeasureError(f"no evaluation of system {system!r} {name} the change; systems there: {told(systems)}")
    key = system if system is not None else next(iter(systems), None)
    held = [] if key is None else systems[key]
    side = Side(
        system=key,
        judges=judges_of(held),
        evaluations=len(held),
        transcripts=len({e.transcript_id for e in held}),
    )
    return side, held
