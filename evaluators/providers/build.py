"""The provider that a judge's configuration names."""

from __future__ import annotations

from evaluators.errors import JudgeConfigError
from evaluators.judges.judge_config import JudgeConfig
from evaluators.judges.models import model_card
from evaluators.provider import Provider


def build_provider(config: JudgeConfig, api_key: str | None) -> Provider:
    """The adapter for this judge; raises JudgeConfigError where the provider's own service is asked without a key.

    Only the SDK that is used is imported: each of them takes its time.
    """
    if config.provider in ("openai", "anthropic") and not api_key and config.base_url is None:
        raise JudgeConfigError(
            f"the judge {config.model!r} at {config.provider} needs a key: set the environment variable "
            f"{config.api_key_env}, or set base_url to an endpoint that needs none"
        )
    refused = model_card(config).refuses
    if config.provider == "bedrock":
        from evaluators.providers.bedrock import BedrockProvider

        return BedrockProvider(
            model=config.model,
            region=config.region,
            base_url=config.base_url,
            timeout_seconds=config.timeout_seconds,
            concurrency=config.concurrency,
            refused=refused,
        )
    if config.provider == "anthropic":
        from evaluators.providers.anthropic import AnthropicProvider

        return AnthropicProvider(
            model=config.model,
            api_key=api_key,
            base_url=config.base_url,
            timeout_seconds=config.timeout_seconds,
            refused=refused,
        )
    if config.http is not None and config.base_url is not None:
        from evaluators.providers.http import HttpProvider

        return HttpProvider(
            model=config.model,
            api_key=api_key,
            base_url=config.base_url,
            timeout_seconds=config.timeout_seconds,
            shape=config.http,
        )
    from evaluators.providers.openai import OpenAIProvider

    return OpenAIProvider(
        model=config.model,
        api_key=api_key,
        base_url=config.base_url,
        timeout_seconds=config.timeout_seconds,
        refused=refused,
    )
