"""A judge as data: one `[judges.NAME]` of the configuration."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from evaluators.prompt import prompts_hash
from perturbations.hashing import digest

ProviderName = Literal["openai"]


class JudgeConfig(BaseModel):
    """The judge seen as a system: provider, model, parameters, prompts. Parameters that are None are left out.

    `max_output_tokens` None means scaled to the number of questions. `api_key_env` names the environment variable
    that holds the key; the key itself is never part of a configuration.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    provider: ProviderName = "openai"
    model: Annotated[str, Field(min_length=1)]
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    timeout_seconds: Annotated[float, Field(gt=0)] = 120.0
    attempts: Annotated[int, Field(ge=1, le=20)] = 4
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 16

    @property
    def system_id(self) -> str:
        """A hash of what makes the judge the system it is; where it is reached and how patiently is no part of it."""
        return digest(
            "system", self.provider, self.model, self.temperature, self.top_p, self.max_output_tokens, prompts_hash()
        )


def epoch_of(system_id: str, served_model: str | None, parameters: dict[str, object]) -> str:
    """hash(system_id, served model, effective parameters): a change of any is another epoch."""
    effective = sorted((name, str(value)) for name, value in parameters.items())
    return digest("epoch", system_id, served_model, *(part for pair in effective for part in pair))
