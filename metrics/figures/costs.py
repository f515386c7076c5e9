"""What a judge's evaluations took: tokens and dollars by model and row. What isn't known is None, never 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pydantic import BaseModel

from evaluators.evaluation import Evaluation, Judge
from evaluators.price import Price, cost_dollars
from metrics.pairs.dedup import deduplicate
from perturbations.records.reading import OWN

PriceOf = Callable[[Judge], Price | None]
"""The price of a judge's tokens, where it is known."""


class Costs(BaseModel):
    """Sums over the evaluations of one model and row; tokens over those that say their usage.

    `unknown` counts evaluations whose cost isn't known, since their price or their usage isn't; `dollars` is the sum
    over the others, None where there is none of them.
    """

    model_config = OWN

    model: str
    row: str
    evaluations: int
    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    dollars: float | None
    unknown: int


def costs(evaluations: Iterable[Evaluation], price_of: PriceOf) -> list[Costs]:
    """One record for each model and row, by name; an evaluation that occurs twice is counted once."""
    groups: dict[tuple[str, str], list[Evaluation]] = {}
    for e in deduplicate(evaluations).evaluations:
        groups.setdefault((e.judge.model, e.row), []).append(e)
    return [_costs(model, row, group, price_of) for (model, row), group in sorted(groups.items())]


def _costs(model: str, row: str, evaluations: list[Evaluation], price_of: PriceOf) -> Costs:
    known = [cost for e in evaluations if (cost := cost_dollars(e.usage, price_of(e.judge))) is not None]
    return Costs(
        model=model,
        row=row,
        evaluations=len(evaluations),
        input_tokens=_sum(e.usage.input_tokens for e in evaluations),
        cached_tokens=_sum(e.usage.cached_tokens for e in evaluations),
        output_tokens=_sum(e.usage.output_tokens for e in evaluations),
        reasoning_tokens=_sum(e.usage.reasoning_tokens for e in evaluations),
        dollars=sum(known) if known else None,
        unknown=len(evaluations) - len(known),
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
