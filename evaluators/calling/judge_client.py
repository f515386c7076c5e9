"""A judge that can be asked: configuration, connection and limits in one object."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from evaluators.calling.judge_limits import Gate, make_gate
from evaluators.calling.reply_cache import ReplyCache
from evaluators.calling.retry import Backoff
from evaluators.judges.judge_config import JudgeConfig
from evaluators.judges.models import ModelCard, model_card
from evaluators.provider import Provider
from evaluators.providers.build import build_provider


@dataclass(frozen=True)
class JudgeClient:
    """A judge that can be asked: its configuration, and a connection to it that must be closed.

    `monotonic` gives seconds, for latencies; `sleep` waits between attempts.
    """

    config: JudgeConfig
    provider: Provider
    gate: Gate
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
    gate = make_gate(config, patient=patient)
    cache = None if config.cache is None else ReplyCache(config.cache, config)
    return JudgeClient(config=config, provider=build_provider(config, api_key), gate=gate, cache=cache)
