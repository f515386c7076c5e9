"""What docs/judges.md shows is what the code takes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from evaluators.judges.judge_config import Flags, JudgeConfig, Limits
from evaluators.price import Price
from evaluators.providers.build import PROVIDERS

TEXT = (Path(__file__).parents[3] / "docs" / "judges.md").read_text(encoding="utf-8")
EXAMPLES = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_judges(example: dict[str, Any]) -> None:
    for judge in example["judges"].values():
        assert JudgeConfig.model_validate(judge)


def test_every_provider_is_named_with_the_variable_of_its_key() -> None:
    choices = re.search(r'^provider = "openai" +# (.*)$', TEXT, re.MULTILINE)
    assert choices is not None
    assert choices[1].split(" | ") == list(PROVIDERS)
    for name, entry in PROVIDERS.items():
        # Bedrock finds its credentials as every AWS client does.
        assert name == "bedrock" or f"`{entry.api_key_env}`" in TEXT


def test_every_key_is_explained() -> None:
    named = set(re.findall(r"`([a-z_]+)`", TEXT)) | set(re.findall(r"\[judges\.NAME\.([a-z]+)\]", TEXT))
    for model in (JudgeConfig, Limits, Flags, Price):
        missing = set(model.model_fields) - named - {"http", "as_of"}
        assert not missing
