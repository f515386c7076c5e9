"""Who writes and validates variants, by the configuration."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime

from evaluators.calling.judge_client import JudgeClient, make_judge
from evaluators.errors import JudgeConfigError
from evaluators.rewriting.llm_rewriter import LlmRewriter
from evaluators.rewriting.llm_validator import LlmValidator
from perturbations.variant_maker import VariantMaker
from streams.config.errors import SettingsError
from streams.config.materials_files import materials_of
from streams.config.sections import RULES
from streams.config.settings import Settings


@asynccontextmanager
async def variant_maker(
    settings: Settings, environment: Mapping[str, str], *, patient: bool = False
) -> AsyncIterator[VariantMaker]:
    """The configured maker of variants, its connections open for as long as the context.

    `patient` is for streams: an outage of an LLM then pauses the rewriting instead of rejecting variants. Raises
    SettingsError: materials that can't be used, a judge that isn't configured, has no key, or is an `http` service.
    """
    materials = materials_of(settings.perturbations)
    async with AsyncExitStack() as cleanup:
        clients: dict[str, JudgeClient] = {}

        def client(key: str, name: str) -> JudgeClient:
            if name not in clients:
                clients[name] = _client(settings, key, name, environment, patient=patient)
                cleanup.push_async_callback(clients[name].aclose)
            return clients[name]

        rewriter, validator = settings.perturbations.rewriter, settings.perturbations.validator
        yield VariantMaker(
            materials,
            rewriter=None if rewriter == RULES else LlmRewriter(client("rewriter", rewriter), materials, _now),
            validator=None if validator == RULES else LlmValidator(client("validator", validator), _now),
        )


def _client(settings: Settings, key: str, name: str, environment: Mapping[str, str], *, patient: bool) -> JudgeClient:
    try:
        _, config = settings.judge_named(name)
        if config.provider == "http":
            raise SettingsError(f"[judges.{name}] is an http service with prompts of its own: name a model")
        return make_judge(config, environment.get(config.api_key_env), patient=patient)
    except (SettingsError, JudgeConfigError) as error:
        raise SettingsError(f"perturbations.{key}: {error} (or set {RULES})") from None


def _now() -> datetime:
    return datetime.now(UTC)
