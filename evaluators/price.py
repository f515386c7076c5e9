"""What tokens cost: a price is data with a date, and what isn't known is None, never 0."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from evaluators.evaluation import Usage

PER = 1_000_000
CHARACTERS_PER_TOKEN = 4
"""Of running English text, for estimates."""

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """US dollars per million tokens; `cached` is for input read from the provider's cache (None: as other input)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    input: Dollars
    cached: Dollars | None = None
    output: Dollars
    as_of: date | None = None


def cost_dollars(usage: Usage, price: Price | None) -> float | None:
    """What the usage costs; None where the price, or the tokens of either side, are unknown.

    `input_tokens` includes the cached ones and `output_tokens` the reasoning ones, whatever the provider's own way of
    counting, so nothing is paid twice. No word about the cache means that nothing came from it.
    """
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    cached_price = price.input if price.cached is None else price.cached
    fresh = usage.input_tokens - cached
    return (fresh * price.input + cached * cached_price + usage.output_tokens * price.output) / PER


def estimated_dollars(*, characters: int, output_tokens: int, price: Price | None) -> float | None:
    """About what it will cost to send `characters` of English and to get `output_tokens`, without any cache."""
    return cost_dollars(Usage(input_tokens=characters // CHARACTERS_PER_TOKEN, output_tokens=output_tokens), price)
