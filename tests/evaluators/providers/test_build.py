"""The table of providers: complete, consistent, and free of SDKs until one is needed."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from evaluators.calling.judge_client import make_judge
from evaluators.errors import JudgeConfigError
from evaluators.judges.judge_config import JudgeConfig
from evaluators.providers.build import PROVIDERS, ProviderName
from evaluators.providers.connection import Connection
from tests.evaluators.builders import KEY
from tests.evaluators.protocols import MODELS, SHAPE

ADAPTERS = {
    "openai": "OpenAIProvider",
    "anthropic": "AnthropicProvider",
    "bedrock": "BedrockProvider",
    "http": "HttpProvider",
}


def modules_after(statement: str) -> set[str]:
    """The top-level names of all modules that a new process has after this statement, and ours in full."""
    shown = subprocess.run(
        [sys.executable, "-c", f"{statement}\nimport sys\nprint(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    return {name.partition(".")[0] for name in shown} | {name for name in shown if name.startswith("evaluators.")}


def test_every_name_that_a_configuration_may_hold_is_in_the_table_and_goes_through_the_matrix_of_protocols() -> None:
    assert set(PROVIDERS) == set(get_args(ProviderName)) == set(ADAPTERS)
    assert {protocol.name for protocol in MODELS} | {"http"} == set(PROVIDERS)
    assert len({entry.api_key_env for entry in PROVIDERS.values()}) == len(PROVIDERS)


@pytest.mark.parametrize(("name", "adapter"), ADAPTERS.items())
async def test_each_entry_makes_its_own_adapter(name: ProviderName, adapter: str) -> None:
    connection = Connection("m", KEY, "http://127.0.0.1:9/v1", region="eu-west-1", shape=SHAPE)
    provider = PROVIDERS[name].connect(connection)
    try:
        assert type(provider).__name__ == adapter
    finally:
        await provider.aclose()


@pytest.mark.parametrize("name", [name for name, entry in PROVIDERS.items() if entry.needs_key])
def test_a_service_that_needs_a_key_names_the_variable_that_lacks_it(name: ProviderName) -> None:
    with pytest.raises(JudgeConfigError, match=PROVIDERS[name].api_key_env):
        make_judge(JudgeConfig.model_validate({"provider": name, "model": "m"}), None)


def test_neither_key_nor_address_stands_in_a_connections_repr() -> None:
    shown = repr(Connection("m", KEY, "https://user:pass@judge.internal/v1"))
    assert KEY not in shown
    assert "pass" not in shown


@pytest.mark.parametrize(
    "module", ["evaluators.evaluate", "evaluators.calling.judge_client", "evaluators.providers.build"]
)
def test_no_sdk_is_imported_before_a_judge_needs_it(module: str) -> None:
    loaded = modules_after(f"import {module}")
    assert module in loaded
    assert loaded & {"openai", "anthropic", "boto3", "botocore", "aiohttp", "httpx"} == set()


def test_a_judge_imports_the_sdk_of_its_provider_alone() -> None:
    loaded = modules_after(
        "from evaluators.calling.judge_client import make_judge\n"
        "from evaluators.judges.judge_config import JudgeConfig\n"
        "make_judge(JudgeConfig(provider='anthropic', model='m'), 'key')"
    )
    assert loaded & {"openai", "anthropic", "boto3", "botocore"} == {"anthropic"}


@pytest.mark.parametrize("module", ["evaluators.evaluation", "evaluators.price", "evaluators.judges.deployment"])
def test_records_and_prices_import_nothing_that_asks_a_judge(module: str) -> None:
    loaded = modules_after(f"import {module}")
    asking = {"jmespath", "tenacity", "aiolimiter", "evaluators.provider", "evaluators.judges.judge_config"}
    assert module in loaded
    assert loaded & asking == set()
