"""The stages of the stream in one table: what a worker may run, and how each is made from the configuration.

A stage itself takes values and knows no configuration; what it is handed is decided here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime

from evaluators.calling.judge_client import JudgeClient, make_judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.migrate import pending_migrations
from metrics.prometheus.counters import Counters
from streams.agents.deploy import DeployStage
from streams.agents.evaluate import EvaluateStage
from streams.agents.pair import PairStage
from streams.agents.perturb import ArmsWanted, PerturbStage
from streams.agents.sample import SampleStage
from streams.config.anchor_file import anchors_of
from streams.config.asked_questions import rubric_of
from streams.config.settings import Settings
from streams.config.variant_writing import variant_maker
from streams.runtime.errors import WorkerError
from streams.runtime.patient_store import PatientStore
from streams.runtime.stage import Stage


class StageParts:
    """What stages are made of. Connections are opened when a stage asks for them, and closed by `cleanup`."""

    def __init__(
        self, settings: Settings, counters: Counters, environment: Mapping[str, str], cleanup: AsyncExitStack
    ) -> None:
        self.settings = settings
        self.counters = counters
        self.environment = environment
        self.cleanup = cleanup
        self._store: PatientStore | None = None

    async def store(self) -> PatientStore:
        """The store, one connection for all stages. Raises WorkerError where its tables aren't there."""
        if self._store is None:
            dsn = self.settings.clickhouse.dsn.get_secret_value()
            client = await self.cleanup.enter_async_context(await connect(dsn))
            if pending := await pending_migrations(client):
                raise WorkerError(f"the database lacks {', '.join(pending)}: run `evenhand migrate` first")
            self._store = PatientStore(client, self.settings.worker)
        return self._store


@dataclass(frozen=True)
class StageSpec:
    """A stage that a worker may run: what it does, in a few words, and how it is made."""

    about: str
    make: Callable[[StageParts], Awaitable[Stage]]


async def _sample(parts: StageParts) -> SampleStage:
    settings = parts.settings
    return SampleStage(
        parts.counters,
        rate=settings.sampling.rate,
        seed=settings.seed,
        max_transcript_bytes=settings.sampling.max_transcript_bytes,
        concurrency=settings.worker.sample_concurrency,
    )


async def _perturb(parts: StageParts) -> PerturbStage:
    settings, store = parts.settings, await parts.store()
    settings.judge_named(None)
    return PerturbStage(
        parts.counters,
        wanted=arms_wanted(settings),
        maker=await parts.cleanup.enter_async_context(variant_maker(settings, parts.environment, patient=True)),
        sink=store,
        concurrency=settings.worker.perturb_concurrency,
    )


async def _evaluate(parts: StageParts) -> EvaluateStage:
    settings = parts.settings
    settings.judge_named(None)
    judges = {}
    for name, config in settings.judges.items():
        judge = judges[name] = make_judge(config, parts.environment.get(config.api_key_env), patient=True)
        parts.cleanup.push_async_callback(judge.aclose)
        _watch(judge, parts.counters)
    return EvaluateStage(
        parts.counters,
        judges=judges,
        now=lambda: datetime.now(UTC),
        concurrency=settings.worker.evaluate_concurrency,
    )


async def _pair(parts: StageParts) -> PairStage:
    worker = parts.settings.worker
    return PairStage(
        parts.counters,
        store=await parts.store(),
        batch_evaluations=worker.batch_evaluations,
        batch_seconds=worker.batch_seconds,
    )


async def _deploy(parts: StageParts) -> DeployStage:
    return DeployStage(sink=await parts.store())


STAGES: dict[str, StageSpec] = {
    "sample": StageSpec("keeps a share of the live transcripts", _sample),
    "perturb": StageSpec("makes every arm of a kept transcript", _perturb),
    "evaluate": StageSpec("asks the judge about each arm", _evaluate),
    "pair": StageSpec("pairs the evaluations, through the store", _pair),
    "deploy": StageSpec("keeps announced changes of a judge", _deploy),
}
"""Every stage by name, in the order of the data."""


def arms_wanted(settings: Settings) -> ArmsWanted:
    """What the configuration asks of each sampled transcript. Raises SettingsError: unusable rubric or anchors."""
    return ArmsWanted(
        rows=settings.sampling.chosen_rows,
        design=settings.sampling.design,
        repeats=settings.sampling.repeats,
        seed=settings.seed,
        rubric=rubric_of(settings),
        judges=frozenset(settings.judges),
        default_judge=settings.default_judge,
        anchors=anchors_of(settings),
        anchor_share=settings.anchors.share,
    )


def _watch(judge: JudgeClient, counters: Counters) -> None:
    breaker = judge.limits.breaker
    is_priced = judge.card.price is not None
    counters.judge(judge.config.model, is_paused=lambda: breaker.is_open, is_priced=is_priced)
