"""What stands between an evaluation and the judge: limits, budget, the circuit breaker."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from evaluators.calling.breaker import Breaker
from evaluators.calling.budget import DailyBudget
from evaluators.calling.concurrency import AdaptiveConcurrency
from evaluators.calling.rate_limits import RateLimits
from evaluators.errors import JudgeConfigError, Overloaded, ProviderError, RateLimited, TimedOut
from evaluators.judges.judge_config import JudgeConfig
from evaluators.judges.models import model_card

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class JudgeLimits:
    """One judge's limits, shared by all its evaluations in this process; `model` is what logs call it."""

    model: str
    breaker: Breaker
    concurrency: AdaptiveConcurrency
    rates: RateLimits
    budget: DailyBudget

    def succeeded(self) -> None:
        """A call gave a completion."""
        was_open = self.breaker.is_open
        self.breaker.succeeded()
        self.concurrency.succeeded()
        if was_open:
            _LOG.warning("the judge %s answers again", self.model)

    def failed(self, error: ProviderError, number: int) -> None:
        """Call `number` gave none."""
        outages = self.breaker.outages
        self.breaker.failed(error)
        if self.breaker.outages != outages:
            _LOG.warning(
                "the judge %s is out of service (%s): it is asked again now and then", self.model, error.reason
            )
        if isinstance(error, RateLimited | Overloaded | TimedOut):
            self.concurrency.pushed_back(number)


def make_limits(
    config: JudgeConfig,
    *,
    patient: bool = False,
    monotonic: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> JudgeLimits:
    """The limits that the configuration sets; `patient` is how an outage without `outage_seconds` is met: for ever.

    Raises JudgeConfigError for a budget in dollars where the price is unknown: it would never be reached.
    """
    limits = config.limits
    if limits.dollars_per_day is not None and model_card(config).price is None:
        raise JudgeConfigError(
            f"the judge {config.model!r} has a budget in dollars, but its price is unknown: set its price "
            "(input and output, in dollars per million tokens) or leave dollars_per_day out"
        )
    unlimited = math.inf if patient else 0.0
    return JudgeLimits(
        model=config.model,
        breaker=Breaker(
            threshold=config.attempts,
            patience_seconds=unlimited if limits.outage_seconds is None else limits.outage_seconds,
            monotonic=monotonic,
            sleep=sleep,
        ),
        concurrency=AdaptiveConcurrency(config.concurrency),
        rates=RateLimits(requests_per_minute=limits.requests_per_minute, tokens_per_minute=limits.tokens_per_minute),
        budget=DailyBudget(calls_per_day=limits.calls_per_day, dollars_per_day=limits.dollars_per_day),
    )
