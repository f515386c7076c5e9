"""The table of providers: what a judge's configuration may name, and how the adapter to each is made.

Each adapter is imported where it is made: the SDKs take seconds, and a process needs one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from evaluators.provider import Provider
from evaluators.providers.connection import Connection

ProviderName = Literal["openai", "anthropic", "bedrock", "http"]


@dataclass(frozen=True)
class ProviderEntry:
    """One provider.

    `connect` makes the adapter; `api_key_env` is the environment variable that holds the key where the configuration
    names none. `needs_key`: the provider's own service is never asked without one. `has_regions`: a judge of it may
    set `region`.
    """

    connect: Callable[[Connection], Provider]
    api_key_env: str
    needs_key: bool = True
    has_regions: bool = False


def _openai(connection: Connection) -> Provider:
    from evaluators.providers.openai import OpenAIProvider

    return OpenAIProvider(connection)


def _anthropic(connection: Connection) -> Provider:
    from evaluators.providers.anthropic import AnthropicProvider

    return AnthropicProvider(connection)


def _bedrock(connection: Connection) -> Provider:
    from evaluators.providers.bedrock import BedrockProvider

    return BedrockProvider(connection)


def _http(connection: Connection) -> Provider:
    from evaluators.providers.http import HttpProvider

    return HttpProvider(connection)


PROVIDERS: Mapping[ProviderName, ProviderEntry] = {
    "openai": ProviderEntry(_openai, "OPENAI_API_KEY"),
    "anthropic": ProviderEntry(_anthropic, "ANTHROPIC_API_KEY"),
    # Bedrock finds its credentials as every AWS client does.
    "bedrock": ProviderEntry(_bedrock, "AWS_BEARER_TOKEN_BEDROCK", needs_key=False, has_regions=True),
    "http": ProviderEntry(_http, "EVENHAND_JUDGE_KEY", needs_key=False),
}
