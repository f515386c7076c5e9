"""Alarms of a store: found as it fills, exported, stored and listed, the same by whom and whenever one looks."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from datetime import timedelta
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from evaluators.evaluation import Evaluation
from evaluators.judges.deployment import Deployment
from metrics.clickhouse.alarm_rows import stored_alarms, write_deployments
from metrics.clickhouse.client import connect
from metrics.clickhouse.migrate import migrate
from perturbations.records.transcript import Transcript
from streams.config.sections import AlarmsSettings
from streams.config.settings import Settings, settings_of
from streams.embedded.children import Children, free_port
from streams.embedded.store_process import start_store
from streams.export.alarm_reader import AlarmReader, AlarmReading, read_and_keep
from streams.export.alarm_watch import AlarmWatch
from streams.export.exporter import serve
from tests.builders import make_transcript
from tests.metrics.made_arms import START, arms_of, judged, stored
from tests.streams.command import run_here

ROWS = ("agent_gender", "past_performance")


def settings(dsn: str, *models: str) -> Settings:
    judges = {f"judge_{n}": {"model": model} for n, model in enumerate(models)}
    alarms = {"alpha": 0.05, "every_seconds": 0.2}
    return settings_of({"clickhouse": {"dsn": dsn}, "alarms": alarms, "judges": judges})


def letters(row: str, attribute: str, repeat: int) -> str:
    """A judge without noise that turns everything for one gender and nothing for past performance."""
    return "nnnn" if attribute == "female" else "yyyy"


def calls(first: int, count: int) -> list[Transcript]:
    return [make_transcript(f"c-{n:03}") for n in range(first, first + count)]


async def fill(dsn: str, transcripts: list[Transcript], **fields: Any) -> list[Evaluation]:
    messages = arms_of(transcripts, ROWS)
    evaluations = judged(messages, letters, **fields)
    async with await connect(dsn) as client:
        await stored(client, messages, evaluations)
    return evaluations


async def look(reader: AlarmReader, dsn: str) -> AlarmReading:
    async with await connect(dsn) as client:
        return await read_and_keep(reader, client)


async def test_reading_bit_by_bit_finds_what_reading_at_once_does(store: str) -> None:
    wanted = AlarmsSettings(alpha=0.05)
    patient = AlarmReader(wanted, overlap=timedelta(0))
    seen = [await look(patient, store)]
    for first in (0, 5, 25):
        await fill(store, calls(first, 20), evaluated_at=START + timedelta(seconds=first))
        seen.append(await look(patient, store))
        # Another second: what is stored from now on is all that it reads next.
        await asyncio.sleep(1.1)
    at_once = await look(AlarmReader(wanted), store)
    assert seen[-1].alarms == at_once.alarms
    assert sorted(seen[-1].flips, key=repr) == sorted(at_once.flips, key=repr)
    assert len(at_once.flips) == 2 * 45
    (alarm,) = at_once.alarms
    assert (alarm.kind, alarm.row, alarm.after, alarm.before) == ("excess", "agent_gender", 1.0, 0.0)
    assert [len(reading.alarms) for reading in seen] == [0, 1, 1, 1]
    async with await connect(store) as client:
        assert await stored_alarms(client) == [alarm]


def scrape(port: int) -> dict[tuple[str, str, str], float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as response:
        text = response.read().decode()
    return {
        (sample.labels["row"], sample.labels["model"], sample.labels["kind"]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "evenhand_alarm"
    }


def test_the_exporter_says_what_rings_and_what_does_not(store: str) -> None:
    asyncio.run(fill(store, calls(0, 30)))
    stop, port = serve(settings(store), 0)
    try:
        until = time.monotonic() + 30
        while not (scraped := scrape(port)) and time.monotonic() < until:
            time.sleep(0.2)
    finally:
        stop()
    kinds = ("excess", "drift", "silent_drift")
    assert scraped == {
        (row, "m", kind): float((row, kind) == ("agent_gender", "excess")) for row in ROWS for kind in kinds
    }


def test_only_the_configured_judges_signals_are_exported(store: str) -> None:
    asyncio.run(fill(store, calls(0, 30)))
    watch = AlarmWatch(settings(store, "another"))
    watch.look()
    assert list(watch.signals) == []
    watch = AlarmWatch(settings(store, "m"))
    watch.look()
    assert len(watch.signals) == 2 * 3


async def test_without_the_store_nothing_is_said_and_with_it_everything_again(tmp_path: Path) -> None:
    port = free_port()
    async with Children(tmp_path / "logs") as children:
        child, dsn = await start_store(children, tmp_path / "store", port=port)
        await migrate(dsn)
        await fill(dsn, calls(0, 30))
        watch = AlarmWatch(settings(dsn))
        await asyncio.to_thread(watch.look)
        signals = watch.signals
        assert any(signal.rings for signal in signals)
        await children.stop(child)
        await asyncio.to_thread(watch.look)
        assert list(watch.signals) == []
        await start_store(children, tmp_path / "store", port=port)
        await asyncio.to_thread(watch.look)
        assert watch.signals == signals


def test_the_command_lists_what_the_exporter_found(store: str, tmp_path: Path) -> None:
    asyncio.run(fill(store, calls(0, 30)))
    asyncio.run(fill(store, calls(30, 30), epoch="e2", evaluated_at=START + timedelta(hours=1)))

    async def announce() -> None:
        async with await connect(store) as client:
            await write_deployments(client, [Deployment(judge="main", model="m", occurred_at=START)])

    asyncio.run(announce())
    reading = asyncio.run(look(AlarmReader(settings(store).alarms), store))
    environment = {"EVENHAND_CLICKHOUSE_DSN": store, "EVENHAND_ALARMS_ALPHA": "0.05"}
    ran = run_here("alarms", "--json", cwd=tmp_path, environment=environment)
    assert (ran.code, ran.err) == (0, "")
    plain = json.loads(ran.out)
    assert plain["alarms"] == [alarm.model_dump(mode="json") for alarm in reading.alarms]
    assert {(a["kind"], a["row"], a["epoch"]) for a in plain["alarms"]} == {
        ("excess", "agent_gender", "e"),
        ("excess", "agent_gender", "e2"),
    }
    assert [signal["rings"] for signal in plain["signals"]] == [True, False, False, False, False, False]
    (swap,) = plain["swaps"]
    assert (swap["previous_epoch"], swap["epoch"]) == ("e", "e2")
    assert swap["deployment_id"]
    assert swap["rows"]["agent_gender"]["change"] == 0.0
    text = run_here("alarms", cwd=tmp_path, environment=environment).out
    assert "beyond noise" in text
    assert "(announced), points of CFR: no row's CFR changed by more than chance." in text


def test_the_command_on_nothing_and_on_nobody(store: str, tmp_path: Path) -> None:
    ran = run_here("alarms", cwd=tmp_path, environment={"EVENHAND_CLICKHOUSE_DSN": store})
    assert (ran.code, ran.err) == (0, "")
    assert "No alarms at alpha 0.001." in ran.out
    nobody = f"http://127.0.0.1:{free_port()}/default"
    ran = run_here("alarms", cwd=tmp_path, environment={"EVENHAND_CLICKHOUSE_DSN": nobody})
    assert (ran.code, ran.out) == (1, "")
    assert ran.said("ClickHouse", "can't be reached")
