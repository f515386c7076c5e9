"""The provider that a judge's configuration names."""

from __future__ import annotations

from evaluators.errors import JudgeConfigError
from evaluators.judge_config import JudgeConfig
from evaluators.provider import Provider
from evaluators.providers.openai import OpenAIProvider


def build_provider(config: JudgeConfig, api_key: str | None) -> Provider:
    """The adapter for this judge; raises JudgeConfigError where the provider's own service is asked without a key."""
    if not api_key and config.base_url is None:
        raise JudgeConfigError(
            f"the judge {config.model!r} at {config.provider} needs a key: set the environment variable "
            f"{config.api_key_env}, or set base_url to an endpoint that needs none"
        )
    return OpenAIProvider(
        model=config.model,
        api_key=api_key,
        base_url=config.base_url,
        timeout_seconds=config.timeout_seconds,
    )
