"""A judge as data: one `[judges.NAME]` of the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evaluators.price import Price
from evaluators.provider import OutputMode
from evaluators.providers.build import PROVIDERS, ProviderName
from evaluators.providers.http_shape import HttpShape
from evaluators.questions.prompt import HeaderPosition, placeholder_fault, prompt_text, prompts_hash
from perturbations.records.hashing import digest


class Flags(BaseModel):
    """What a model that isn't in the registry takes; None is as the registry says, or else unknown.

    `exact_schema` is for servers that make a grammar of the schema, such as llama.cpp or vLLM.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    refuses: tuple[Literal["temperature", "top_p", "effort", "max_completion_tokens", "max_tokens"], ...] | None = (
        None
    )
    mode: OutputMode | None = None
    reasons: bool | None = None
    exact_schema: bool | None = None


class Limits(BaseModel):
    """What may be asked of the judge by one process; None is no limit.

    Per minute calls wait; what would pass a day's budget is skipped and counted. `outage_seconds` is how long an
    outage of the judge is waited out before evaluations fail; None is not at all, and in a stream for ever.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    requests_per_minute: Annotated[int, Field(ge=1)] | None = None
    tokens_per_minute: Annotated[int, Field(ge=1)] | None = None
    calls_per_day: Annotated[int, Field(ge=0)] | None = None
    dollars_per_day: Annotated[float, Field(ge=0)] | None = None
    outage_seconds: Annotated[float, Field(ge=0)] | None = None


class JudgeConfig(BaseModel):
    """The judge seen as a system: provider, model, parameters, prompts. Parameters that are None are left out.

    `max_output_tokens` None means scaled to the number of questions. `output_mode` is the highest rung of the output
    ladder to try. `api_key_env` names the environment variable that holds the key (Bedrock takes AWS's own); the key
    itself is never part of a configuration. `http` is the shape of a service of one's own, asked at `base_url`.
    `questions_per_call` None puts all questions into one call, 1 asks each alone. `coaching_note` None comes with the
    answers where they take one call, else in a call of its own. `fairness_prompt` adds the fairness-aware words to
    the system message. `system_prompt` and `user_prompt` are templates of one's own for the questions.
    `header_position` is where metadata headers stand, `before` the turns or `after` them, as production has them.
    `cache` is a folder for replies, off where None.
    `flags` and `price` say what a model takes and costs that the registry doesn't know, or knows otherwise.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    provider: ProviderName = "openai"
    model: Annotated[str, Field(min_length=1)]
    base_url: str | None = None
    region: str | None = None
    api_key_env: str = PROVIDERS["openai"].api_key_env
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    effort: Annotated[str, Field(pattern=r"^[a-z]+$")] | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    output_mode: OutputMode = "schema"
    questions_per_call: Annotated[int, Field(ge=1)] | None = None
    coaching_note: Literal["with_answers", "own_call", "off"] | None = None
    fairness_prompt: bool = False
    system_prompt: str | None = None
    user_prompt: str | None = None
    header_position: HeaderPosition = "before"
    timeout_seconds: Annotated[float, Field(gt=0)] = 120.0
    attempts: Annotated[int, Field(ge=1, le=20)] = 4
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 16
    http: HttpShape | None = None
    flags: Flags | None = None
    price: Price | None = None
    limits: Limits = Limits()
    cache: Path | None = None

    @model_validator(mode="before")
    @classmethod
    def _key_of_the_provider(cls, data: Any) -> Any:
        if isinstance(data, dict) and "api_key_env" not in data:
            for name, entry in PROVIDERS.items():
                if data.get("provider") == name:
                    return {**data, "api_key_env": entry.api_key_env}
        return data

    @model_validator(mode="after")
    def _fits_the_provider(self) -> Self:
        if (self.provider == "http") != (self.http is not None):
            raise ValueError("provider http and the table http go together: either both or neither")
        if self.provider == "http" and self.base_url is None:
            raise ValueError("provider http needs base_url: the address that takes the request")
        if self.region is not None and not PROVIDERS[self.provider].has_regions:
            regional = [name for name, entry in PROVIDERS.items() if entry.has_regions]
            raise ValueError(f"region is for provider {' or '.join(regional)} only")
        if self.coaching_note == "with_answers" and self.questions_per_call is not None:
            raise ValueError("coaching_note can't come with the answers of several calls: own_call or off")
        fault = placeholder_fault(self.system_prompt, self.user_prompt)
        if fault is not None:
            raise ValueError(fault)
        return self

    @property
    def system_id(self) -> str:
        """A hash of what makes the judge the system it is; where it is reached and how patiently is no part of it."""
        return digest(
            "system",
            self.provider,
            self.model,
            self.temperature,
            self.top_p,
            self.max_output_tokens,
            prompts_hash(),
            self._asking(),
            self.effort,
            self.output_mode,
            None if self.http is None else self.http.model_dump_json(exclude={"headers"}),
        )

    def _asking(self) -> str:
        """A hash of how the questions are put, beyond the default prompts."""
        names = ("answers_system", "coaching_note_system", "coaching_note_user", "fairness_system")
        return digest(
            self.questions_per_call,
            self.coaching_note,
            self.fairness_prompt,
            self.system_prompt,
            self.user_prompt,
            *(prompt_text(name) for name in names),
            *([] if self.header_position == "before" else [self.header_position]),
        )


def epoch_of(system_id: str, served_model: str | None, parameters: Mapping[str, object]) -> str:
    """hash(system_id, served model, effective parameters): a change of any is another epoch."""
    effective = sorted((name, str(value)) for name, value in parameters.items())
    return digest("epoch", system_id, served_model, *(part for pair in effective for part in pair))
