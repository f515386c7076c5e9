"""What a judge's evaluations took: tokens and dollars by model and row. What isn't known is None, never 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pydantic import BaseModel, ConfigDict

from evaluators.evaluation import Evaluation, Judge, Usage
from evaluators.price import Price, cost_dollars
from metrics.pairs.dedup import deduplicate

PriceOf = Callable[[Judge], Price | None]
"""The price of a judge's tokens, where it is known."""


class Costs(BaseModel):
    """Sums over the evaluations of one model and row; tokens over those that say their usage.

    `unknown` counts evaluations whose cost isn't known, since their price or their usage isn't; `dollars` is the sum
    over the others, None where there is none of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

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
    return [_costs(model, row, held, price_of) for (model, row), held in sorted(groups.items())]


def _costs(model: str, row: str, held: list[Evaluation], price_of: PriceOf) -> Costs:
    known = [cost for e in held if (cost := cost_dollars(e.usage, price_of(e.judge))) is not None]
    tokens = {name: _sum(getattr(e.usage, name) for e in held) for name in Usage.model_fields}
    return Costs(
        model=model,
        row=row,
        evaluations=len(held),
        dollars=sum(known) if known else None,
        unknown=len(held) - len(known),
        **tokens,
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
