"""The registry of known models: what each takes, what it costs, and until when it answers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from evaluators.judges.judge_config import Flags, JudgeConfig
from evaluators.price import Price
from evaluators.provider import OutputMode
from evaluators.providers.build import ProviderName

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
    mode: OutputMode = "schema"
    reasons: bool = False
    exact_schema: bool = False
    price: Price | None = None
    end_of_life: date | None = None
    no_sooner_than: date | None = None
    retired: bool = False

    def with_declared(self, flags: Flags, price: Price | None) -> ModelCard:
        """The card with what a configuration says of the model; where that is None the card's own word counts."""
        return ModelCard(
            provider=self.provider,
            model=self.model,
            aliases=self.aliases,
            refuses=self.refuses if flags.refuses is None else flags.refuses,
            mode=self.mode if flags.mode is None else flags.mode,
            reasons=self.reasons if flags.reasons is None else flags.reasons,
            exact_schema=self.exact_schema if flags.exact_schema is None else flags.exact_schema,
            price=self.price if price is None else price,
            end_of_life=self.end_of_life,
            no_sooner_than=self.no_sooner_than,
            retired=self.retired,
        )


def model_card(config: JudgeConfig) -> ModelCard:
    """What is known of the judge's model, with what the configuration says of it; an unknown one is unknown.

    An endpoint of one's own may serve anything under a known name: there only the configuration counts.
    """
    known = None if config.base_url is not None else _cards().get((config.provider, _bare(config.model)))
    card = known or ModelCard(provider=config.provider, model=config.model)
    return card.with_declared(config.flags or Flags(), config.price)


def lifecycle_warning(config: JudgeConfig, today: date) -> str | None:
    """A sentence where the judge's model is past its end of life, near it, or unknown; else None."""
    # A service of one's own always has an address of its own.
    if config.base_url is not None:
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
def _cards() -> Mapping[tuple[str, str], ModelCard]:
    registry = tomllib.loads(files("evaluators.judges").joinpath("models.toml").read_text(encoding="utf-8"))
    cards = [ModelCard.model_validate(entry) for entry in registry["models"]]
    return {(card.provider, name): card for card in cards for name in (card.model, *card.aliases)}


def _bare(model: str) -> str:
    """A Bedrock id without its inference profile."""
    return next((model.removeprefix(profile) for profile in _PROFILES if model.startswith(profile)), model)
