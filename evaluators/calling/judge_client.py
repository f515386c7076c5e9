"""A judge that can be asked: configuration, connection and limits in one object."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from evaluators.calling.judge_limits import JudgeLimits, make_limits
from evaluators.calling.reply_cache import ReplyCache
from evaluators.calling.retry import Backoff
from evaluators.errors import JudgeConfigError
from evaluators.evaluation import Usage
from evaluators.judges.judge_config import JudgeConfig
from evaluators.judges.models import ModelCard, model_card
from evaluators.price import cost_dollars
from evaluators.provider import Provider
from evaluators.providers.build import PROVIDERS
from evaluators.providers.connection import Connection


@dataclass(frozen=True)
class JudgeClient:
    """A judge that can be asked: its configuration, and a connection to it that must be closed.

    `monotonic` gives seconds, for latencies; `sleep` waits between attempts.
    """

    config: JudgeConfig
    provider: Provider
    limits: JudgeLimits
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    monotonic: Callable[[], float] = time.monotonic
    cache: ReplyCache | None = None

    @property
    def system_id(self) -> str:
        """The judge as a system."""
        return self.config.system_id

    @property
    def card(self) -> ModelCard:
        """What is known of the model."""
        return model_card(self.config)

    def spend(self, usage: Usage) -> None:
        """Counts what calls took against the day's budget; what they cost is unknown without price and tokens."""
        self.limits.budget.spend(cost_dollars(usage, self.card.price))

    async def aclose(self) -> None:
        """Releases the connections."""
        await self.provider.aclose()


def make_judge(config: JudgeConfig, api_key: str | None, *, patient: bool = False) -> JudgeClient:
    """The judge, ready to be asked; close it with `aclose`.

    `api_key` is the value of the variable that `api_key_env` names. `patient` is for streams: where the configuration
    sets no `outage_seconds`, an outage of the judge then pauses its evaluations for as long as it lasts. Raises
    JudgeConfigError where the provider's own service would be asked without a key, or a budget in dollars goes
    without a price.
    """
    limits = make_limits(config, patient=patient)
    cache = None if config.cache is None else ReplyCache(config.cache, config)
    return JudgeClient(config=config, provider=_connected(config, api_key), limits=limits, cache=cache)


def _connected(config: JudgeConfig, api_key: str | None) -> Provider:
    entry = PROVIDERS[config.provider]
    if entry.needs_key and not api_key and config.base_url is None:
        raise JudgeConfigError(
            f"the judge {config.model!r} at {config.provider} needs a key: set the environment variable "
            f"{config.api_key_env}, or set base_url to an endpoint that needs none"
        )
    return entry.connect(
        Connection(
            model=config.model,
            api_key=api_key,
            base_url=config.base_url,
            region=config.region,
            timeout_seconds=config.timeout_seconds,
            concurrency=config.concurrency,
            refused=model_card(config).refuses,
            shape=config.http,
        )
    )
