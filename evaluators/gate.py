"""What stands between an evaluation and the judge: limits, budget, the circuit breaker."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from evaluators.breaker import Breaker
from evaluators.budget import DailyBudget
from evaluators.concurrency import AdaptiveConcurrency
from evaluators.errors import JudgeConfigError, Overloaded, ProviderError, RateLimited, TimedOut
from evaluators.judge_config import JudgeConfig
from evaluators.models import model_card
from evaluators.rates import Rates


@dataclass(frozen=True)
class Gate:
    """One judge's limits, shared by all its evaluations in this process."""

    breaker: Breaker
    concurrency: AdaptiveConcurrency
    rates: Rates
    budget: DailyBudget

    def succeeded(self) -> None:
        """A call gave a completion."""
        self.breaker.succeeded()
        self.concurrency.succeeded()

    def failed(self, error: ProviderError, number: int) -> None:
        """Call `number` gave none."""
        self.breaker.failed(error)
        if isinstance(error, RateLimited | Overloaded | TimedOut):
            self.concurrency.pushed_back(number)


def make_gate(
    config: JudgeConfig,
    *,
    patient: bool = False,
    monotonic: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Gate:
    """The gate that the configuration asks for; `patient` waits out an outage for as long as it lasts.

    Raises JudgeConfigError for a budget in dollars where the price is unknown: it would never be reached.
    """
    limits = config.limits
    if limits.dollars_per_day is not None and model_card(config).price is None:
        raise JudgeConfigError(
            f"the judge {config.model!r} has a budget in dollars, but its price is unknown: set its price "
            "(input and output, in dollars per million tokens) or leave dollars_per_day out"
        )
    return Gate(
        breaker=Breaker(
            threshold=config.attempts,
            patience_seconds=math.inf if patient else limits.outage_seconds,
            monotonic=monotonic,
            sleep=sleep,
        ),
        concurrency=AdaptiveConcurrency(config.concurrency),
        rates=Rates(requests_per_minute=limits.requests_per_minute, tokens_per_minute=limits.tokens_per_minute),
        budget=DailyBudget(calls_per_day=limits.calls_per_day, dollars_per_day=limits.dollars_per_day),
    )
