"""What evaluations tell about the next ones: rates, what a transcript is worth, what applies, what a call takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.evaluation import Evaluation
from evaluators.price import Price, cost_dollars
from metrics.estimators.interval import TYPICAL_CORRELATION, Effective, effective
from metrics.figures.clusters import flips
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import arm_fault, pair_evaluations
from metrics.pairs.systems import by_system, choose_system
from perturbations.planning.design import Design
from perturbations.records.hashing import fraction
from perturbations.rows import ROWS, Row

DRAWS = 10
"""How often smaller designs are drawn from the arms that were seen."""

ASSUMED_RATE = 0.1
"""The CFR of a row of which nothing was seen: about the largest of most rows in the paper's Table 2."""


@dataclass(frozen=True)
class ObservedRow:
    """A row's CFR, and what one transcript is worth to it under a design.

    `each` is the effective number of independent comparisons of a transcript, `arms` how many of its arms are asked
    about, `applies` the share of the transcripts with anything to compare. `transcripts` is over how many, 0 where
    all of it is assumed.
    """

    cfr: float
    each: float
    arms: float
    applies: float
    transcripts: int

    @property
    def sample(self) -> Effective:
        """The effective sample of a pooled rate over what was seen, or over as much as a few hundred transcripts."""
        count = self.transcripts or 300
        return Effective(self.cfr, self.each * count, count, count)


def assumed_row(row: Row, design: Design, *, questions: int) -> ObservedRow:
    """What is taken of a row of which nothing was seen: a CFR of 10 %, a correlation of 0.1, every arm applies."""
    comparisons = questions * design.pairs(row)
    arms = len(design.attributes("", row, seed=0)) - (row.original_attribute is not None)
    each = comparisons / (1 + TYPICAL_CORRELATION * (comparisons - 1))
    return ObservedRow(ASSUMED_RATE, each, float(arms), 1.0, 0)


def observed_rows(
    evaluations: Iterable[Evaluation], design: Design, *, system: str | None = None
) -> dict[str, ObservedRow]:
    """Each row with at least 2 transcripts compared, as it would be under `design`.

    Where more arms were seen than the design asks for, arms are drawn from them again and again. Raises MeasureError
    where the evaluations hold several systems and none is chosen, or not the one that is.
    """
    own = _of_system(evaluations, system)
    transcripts = len({e.transcript_id for e in own})
    pairs = [pair for pair in pair_evaluations(own) if pair.kind == "attribute"]
    rows = {
        name: _observed_row(row, [pair for pair in pairs if pair.row == name], design, transcripts)
        for name, row in ROWS.items()
    }
    return {name: observed for name, observed in rows.items() if observed is not None}


def dollars_per_evaluation(evaluations: Iterable[Evaluation], price: Price | None) -> float | None:
    """What an evaluation cost on average, from its tokens; None where neither is known."""
    costs = [cost for e in deduplicate(evaluations).evaluations if (cost := cost_dollars(e.usage, price)) is not None]
    return math.fsum(costs) / len(costs) if costs else None


def _of_system(evaluations: Iterable[Evaluation], system: str | None) -> Sequence[Evaluation]:
    systems = by_system(e for e in deduplicate(evaluations).evaluations if arm_fault(e) is None)
    key = choose_system(systems, system, where="in the evaluations")
    return [] if key is None else systems[key]


def _observed_row(row: Row, pairs: Sequence[Pair], design: Design, transcripts: int) -> ObservedRow | None:
    whole = effective(flips(pairs).values())
    if whole is None:
        return None
    arms = _arms(pairs)
    chosen = [_chosen(row, arms, design, draw) for draw in range(DRAWS)]
    samples = [sample for kept in chosen if (sample := effective(flips(_among(pairs, kept)).values())) is not None]
    judged = [len(kept - {row.original_attribute}) for each in chosen for kept in each.values()]
    return ObservedRow(
        cfr=whole.rate,
        each=math.fsum(s.size / s.clusters for s in samples) / len(samples),
        arms=sum(judged) / len(judged),
        applies=len(arms) / transcripts,
        transcripts=whole.clusters,
    )


def _arms(pairs: Iterable[Pair]) -> dict[str, set[str]]:
    arms: dict[str, set[str]] = {}
    for pair in pairs:
        arms.setdefault(pair.transcript_id, set()).update((pair.arm_a, pair.arm_b))
    return arms


def _chosen(row: Row, arms: dict[str, set[str]], design: Design, draw: int) -> dict[str, set[str | None]]:
    """The arms that a smaller design would have kept of those that were seen."""
    most = len(design.attributes("", row, seed=0))

    def kept(transcript_id: str, attributes: set[str]) -> set[str | None]:
        places = {
            attribute: (fraction("seen", draw, transcript_id, attribute), attribute) for attribute in attributes
        }
        return set(sorted(attributes, key=places.__getitem__)[:most])

    return {transcript_id: kept(transcript_id, attributes) for transcript_id, attributes in arms.items()}


def _among(pairs: Iterable[Pair], chosen: dict[str, set[str | None]]) -> list[Pair]:
    return [p for p in pairs if p.arm_a in chosen[p.transcript_id] and p.arm_b in chosen[p.transcript_id]]
