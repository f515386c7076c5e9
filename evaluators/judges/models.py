"""The registry of known models: what each takes, what it costs, and until when it answers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from evaluators.judges.judge_config import JudgeConfig, ProviderName
from evaluators.price import Price
from evaluators.provider import Mode

NEAR_END = timedelta(days=90)

_PROFILES = ("us.", "eu.", "apac.", "global.", "us-gov.", "jp.", "au.", "ca.")


class ModelCard(BaseModel):
    """One model at one provider.

    `refuses` are parameters that it answers with a 400, `mode` the highest rung of the output ladder that it takes;
    both only save the calls that would teach the same. `reasons`: its thinking counts as output tokens.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: ProviderName
    model: str
    aliases: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    mode: Mode = "schema"
    reasons: bool = False
    exact_schema: bool = False
    price: Price | None = None
    end_of_life: date | None = None
    no_sooner_than: date | None = None
    retired: bool = False


def model_card(config: JudgeConfig) -> ModelCard:
    """What is known of the judge's model, with what the configuration says of it; an unknown one is unknown.

    An endpoint of one's own may serve anything under a known name: there only the configuration counts.
    """
    known = None if config.base_url is not None else _cards().get((config.provider, _bare(config.model)))
    card = known or ModelCard(provider=config.provider, model=config.model)
    declared: dict[str, Any] = {} if config.flags is None else config.flags.model_dump(exclude_none=True)
    return card.model_copy(update={**declared, **({"price": config.price} if config.price else {})})


def lifecycle_warning(config: JudgeConfig, today: date) -> str | None:
    """A sentence where the judge's model is past its end of life, near it, or unknown; else None."""
    if config.base_url is not None or config.provider == "http":
        return None
    card = _cards().get((config.provider, _bare(config.model)))
    if card is None:
        return (
            f"{config.model} at {config.provider} is not in the list of known models: its price is unknown, and what "
            "it takes is learned from its refusals; declare price and flags to spare that"
        )
    if card.retired:
        return f"{config.model} is retired at {config.provider} and answers no more; choose another model"
    if card.end_of_life is None:
        return None
    if card.end_of_life <= today:
        return f"{config.model} at {config.provider} ended on {card.end_of_life}; choose another model"
    if card.end_of_life - today <= NEAR_END:
        return f"{config.model} at {config.provider} ends on {card.end_of_life}; plan its replacement"
    return None


@cache
def paper_judges() -> Mapping[str, JudgeConfig]:
    """The 18 judges of the paper under its names, with its parameters (Table 8)."""
    return {name: JudgeConfig.model_validate(judge) for name, judge in _registry()["judges"].items()}


@cache
def _cards() -> Mapping[tuple[str, str], ModelCard]:
    cards = [ModelCard.model_validate(entry) for entry in _registry()["models"]]
    return {(card.provider, name): card for card in cards for name in (card.model, *card.aliases)}


@cache
def _registry() -> Mapping[str, Any]:
    return tomllib.loads(files("evaluators.judges").joinpath("models.toml").read_text(encoding="utf-8"))


def _bare(model: str) -> str:
    """A Bedrock id without its inference profile."""
    return next((model.removeprefix(profile) for profile in _PROFILES if model.startswith(profile)), model)
