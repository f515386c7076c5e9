"""The table of stages: each is built from what its entry names, reads a topic of its own, and is on the help."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from prometheus_client import CollectorRegistry

from metrics.prometheus.counters import Counters
from streams.cli.commands import COMMANDS
from streams.config.settings import settings_of
from streams.kafka.topics import TOPICS
from streams.worker.parts import Need, open_parts
from streams.worker.stages import STAGES

SETTINGS = {"judges": {"main": {"model": "m", "base_url": "http://127.0.0.1:9/v1"}}}


@pytest.mark.parametrize("name", STAGES)
async def test_a_stage_is_built_from_what_its_entry_names(name: str, store: str) -> None:
    settings = settings_of({**SETTINGS, "clickhouse": {"dsn": store}})
    async with AsyncExitStack() as cleanup:
        parts = await open_parts(settings, {}, Counters(CollectorRegistry()), STAGES[name].needs, cleanup)
        stage = STAGES[name].build(parts)
        assert stage.name == name
        assert stage.source in TOPICS
        assert stage.concurrency >= 1
        assert not stage.is_paused


@pytest.mark.parametrize("name", [name for name, spec in STAGES.items() if spec.needs])
async def test_a_part_that_no_entry_names_is_told_to_whoever_adds_the_stage(name: str) -> None:
    async with AsyncExitStack() as cleanup:
        parts = await open_parts(settings_of(SETTINGS), {}, Counters(CollectorRegistry()), (), cleanup)
        with pytest.raises(LookupError, match="its entry in STAGES must name it"):
            STAGES[name].build(parts)


async def test_every_stage_reads_a_topic_of_its_own(store: str) -> None:
    settings = settings_of({**SETTINGS, "clickhouse": {"dsn": store}})
    needs: set[Need] = {need for spec in STAGES.values() for need in spec.needs}
    async with AsyncExitStack() as cleanup:
        parts = await open_parts(settings, {}, Counters(CollectorRegistry()), needs, cleanup)
        sources = [spec.build(parts).source for spec in STAGES.values()]
    assert len(set(sources)) == len(sources)


def test_the_help_names_every_stage() -> None:
    assert ", ".join(STAGES) in COMMANDS["worker"][1]
