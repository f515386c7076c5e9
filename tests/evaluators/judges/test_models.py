"""The registry: the paper's judges, what is known of models, and what is said of their end."""

from __future__ import annotations

import tomllib
from datetime import date
from importlib.resources import files

import pytest

from evaluators.calling.tokens import output_budget
from evaluators.evaluation import Usage
from evaluators.judges.judge_config import Flags, JudgeConfig
from evaluators.judges.models import ModelCard, lifecycle_warning, model_card
from evaluators.price import Price, cost_dollars, estimated_dollars
from evaluators.providers.anthropic import usage_of as anthropic_usage
from evaluators.providers.openai import usage_of as openai_usage

TODAY = date(2026, 11, 30)
PRICE = Price(input=2.5, cached=1.25, output=10)


def paper_judges() -> dict[str, JudgeConfig]:
    """The judges of the paper under its names, with its parameters (Table 8)."""
    registry = tomllib.loads(files("evaluators.judges").joinpath("models.toml").read_text(encoding="utf-8"))
    return {name: JudgeConfig.model_validate(judge) for name, judge in registry["judges"].items()}


def test_the_18_judges_of_the_paper_are_all_known() -> None:
    judges = paper_judges()
    assert len(judges) == 18
    for name, config in judges.items():
        card = model_card(config)
        assert card.price is not None, name
        assert card.price.as_of is not None, name
        assert (config.temperature == 0) != card.refuses.__contains__("temperature"), name
    assert {name for name, config in judges.items() if config.effort} == {
        f"gpt-5{size}-{effort}" for size in ("", "-mini", "-nano") for effort in ("low", "medium")
    }
    assert len({config.system_id for config in judges.values()}) == 18


@pytest.mark.parametrize(
    ("provider", "model", "says"),
    [
        ("openai", "gpt-5-2025-08-07", "ends on 2026-12-11"),
        ("openai", "gpt-5", "ends on 2026-12-11"),
        ("openai", "gpt-4o-2024-08-06", "ends on 2027-01-14"),
        ("bedrock", "us.amazon.nova-premier-v1:0", "ended on 2026-09-14"),
        ("anthropic", "claude-3-5-haiku-20241022", "is retired"),
        ("anthropic", "claude-sonnet-4-20250514", "is retired"),
        ("openai", "gpt-77", "not in the list of known models"),
        ("openai", "gpt-5.4", None),
        ("bedrock", "eu.amazon.nova-lite-v1:0", None),
        ("bedrock", "amazon.nova-lite-v1:0", None),
        ("bedrock", "us.deepseek.r1-v1:0", None),
    ],
)
def test_what_is_said_of_a_models_end(provider: str, model: str, says: str | None) -> None:
    warning = lifecycle_warning(JudgeConfig.model_validate({"provider": provider, "model": model}), TODAY)
    assert (warning is None) if says is None else says in (warning or "")


def test_the_end_is_far_then_near_then_past() -> None:
    config = JudgeConfig(model="gpt-4o")
    assert lifecycle_warning(config, date(2026, 6, 1)) is None
    assert "ends on" in (lifecycle_warning(config, date(2027, 1, 13)) or "")
    assert "ended on" in (lifecycle_warning(config, date(2027, 1, 14)) or "")
    assert lifecycle_warning(JudgeConfig(model="gpt-77", base_url="http://127.0.0.1/v1"), TODAY) is None


def test_the_configuration_has_the_last_word() -> None:
    known = model_card(JudgeConfig(model="gpt-5"))
    assert (known.reasons, known.refuses, known.mode) == (True, ("temperature", "top_p"), "schema")
    declared = model_card(JudgeConfig(model="gpt-5", flags=Flags(refuses=(), mode="tool"), price=PRICE))
    assert (declared.reasons, declared.refuses, declared.mode, declared.price) == (True, (), "tool", PRICE)
    own = model_card(JudgeConfig(model="gpt-5", base_url="http://127.0.0.1/v1"))
    assert (own.reasons, own.refuses, own.price) == (False, (), None)


def test_what_a_configuration_does_not_say_of_a_model_stays_as_the_card_has_it() -> None:
    card = ModelCard(
        provider="bedrock",
        model="m",
        aliases=("n",),
        refuses=("top_p",),
        mode="tool",
        reasons=True,
        exact_schema=True,
        price=PRICE,
        end_of_life=TODAY,
        no_sooner_than=TODAY,
        retired=True,
    )
    assert card.model_fields_set == set(ModelCard.model_fields)
    assert card.with_declared(Flags(), None) == card
    flags = Flags(refuses=(), mode="prompt", reasons=False, exact_schema=False)
    otherwise = {
        "refuses": (),
        "mode": "prompt",
        "reasons": False,
        "exact_schema": False,
        "price": Price(input=1, output=2),
    }
    declared = card.with_declared(flags, Price(input=1, output=2))
    assert declared == ModelCard.model_validate({**dict(card), **otherwise})


def test_tokens_are_paid_once_whatever_the_provider_counts_where() -> None:
    within = openai_usage(
        {
            "prompt_tokens": 10_000,
            "prompt_tokens_details": {"cached_tokens": 8_000},
            "completion_tokens": 900,
            "completion_tokens_details": {"reasoning_tokens": 700},
        }
    )
    beside = anthropic_usage({"input_tokens": 2_000, "cache_read_input_tokens": 8_000, "output_tokens": 900})
    assert cost_dollars(within, PRICE) == pytest.approx(0.024)
    assert cost_dollars(beside, PRICE) == pytest.approx(0.024)


@pytest.mark.parametrize(
    ("usage", "price", "dollars"),
    [
        (Usage(), PRICE, None),
        (Usage(input_tokens=1000), PRICE, None),
        (Usage(output_tokens=1000), PRICE, None),
        (Usage(input_tokens=1000, output_tokens=100), None, None),
        (Usage(input_tokens=0, output_tokens=0), PRICE, 0.0),
        (Usage(input_tokens=1000, output_tokens=100), PRICE, 0.0035),
        (Usage(input_tokens=1000, cached_tokens=400, output_tokens=100), Price(input=2.5, output=10), 0.0035),
        (Usage(input_tokens=1000, cached_tokens=5000, output_tokens=0), PRICE, 0.00125),
    ],
)
def test_costs(usage: Usage, price: Price | None, dollars: float | None) -> None:
    cost = cost_dollars(usage, price)
    assert cost is None if dollars is None else cost == pytest.approx(dollars)


def test_usage_that_is_null_costs_what_nobody_knows() -> None:
    assert cost_dollars(openai_usage(None), PRICE) is None
    assert cost_dollars(openai_usage({"prompt_tokens": True, "completion_tokens": -1}), PRICE) is None


def test_estimates() -> None:
    assert estimated_dollars(characters=4_000_000, output_tokens=100_000, price=PRICE) == pytest.approx(3.5)
    assert estimated_dollars(characters=4_000, output_tokens=0, price=None) is None


def test_budgets() -> None:
    assert output_budget(1, reasons=False) == 1_000
    assert output_budget(30, reasons=False) > 2_000
    assert output_budget(1, reasons=True) > 5_000
