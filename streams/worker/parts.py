"""What stages are built from: the settings, the counters, and what has to be opened and closed again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Literal, TypeVar

from evaluators.calling.judge_client import JudgeClient, make_judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.migrate import pending_migrations
from metrics.prometheus.counters import Counters
from perturbations.variant_maker import VariantMaker
from streams.config.settings import Settings
from streams.config.variant_writing import variant_maker
from streams.runtime.patient_store import PatientStore
from streams.worker.errors import WorkerError

Need = Literal["store", "variant_maker", "judges"]
"""What is opened only for stages that need it."""

Part = TypeVar("Part")


@dataclass(frozen=True)
class Parts:
    """What the stages of one worker share. A part that no stage's entry in the table names is not there."""

    settings: Settings
    counters: Counters
    opened_store: PatientStore | None = None
    opened_variant_maker: VariantMaker | None = None
    opened_judges: Mapping[str, JudgeClient] | None = None

    @property
    def store(self) -> PatientStore:
        """Evaluations, pairs and variants in ClickHouse."""
        return _opened("store", self.opened_store)

    @property
    def variant_maker(self) -> VariantMaker:
        """The configured maker of variants."""
        return _opened("variant_maker", self.opened_variant_maker)

    @property
    def judges(self) -> Mapping[str, JudgeClient]:
        """The client of each configured judge, by its name."""
        return _opened("judges", self.opened_judges)


async def open_parts(
    settings: Settings,
    environment: Mapping[str, str],
    counters: Counters,
    needs: Collection[Need],
    cleanup: AsyncExitStack,
) -> Parts:
    """The parts that are needed, open until `cleanup` closes them.

    Raises WorkerError for a database without its tables, the store's errors, SettingsError, and what is wrong with a
    judge (JudgeConfigError).
    """
    return Parts(
        settings,
        counters,
        opened_store=await _open_store(settings, cleanup) if "store" in needs else None,
        opened_variant_maker=await _open_maker(settings, environment, cleanup) if "variant_maker" in needs else None,
        opened_judges=_open_judges(settings, environment, counters, cleanup) if "judges" in needs else None,
    )


async def _open_store(settings: Settings, cleanup: AsyncExitStack) -> PatientStore:
    client = await cleanup.enter_async_context(await connect(settings.clickhouse.dsn.get_secret_value()))
    if pending := await pending_migrations(client):
        raise WorkerError(f"the database lacks {', '.join(pending)}: run `evenhand migrate` first")
    return PatientStore(
        client, outage_seconds=settings.worker.outage_seconds, batch_seconds=settings.worker.batch_seconds
    )


async def _open_maker(settings: Settings, environment: Mapping[str, str], cleanup: AsyncExitStack) -> VariantMaker:
    # The variants of a transcript that names no judge name the default one.
    settings.judge_named(None)
    return await cleanup.enter_async_context(variant_maker(settings, environment, patient=True))


def _open_judges(
    settings: Settings, environment: Mapping[str, str], counters: Counters, cleanup: AsyncExitStack
) -> Mapping[str, JudgeClient]:
    settings.judge_named(None)
    judges = {}
    for name, config in settings.judges.items():
        judge = judges[name] = make_judge(config, environment.get(config.api_key_env), patient=True)
        cleanup.push_async_callback(judge.aclose)
        _watch(judge, counters)
    return judges


def _watch(judge: JudgeClient, counters: Counters) -> None:
    breaker = judge.limits.breaker
    is_priced = judge.card.price is not None
    counters.judge(judge.config.model, is_paused=lambda: breaker.is_open, is_priced=is_priced)


def _opened(name: Need, part: Part | None) -> Part:
    if part is None:
        raise LookupError(f"a stage uses the part {name!r}: its entry in STAGES must name it")
    return part
