"""The exporter over HTTP, as Prometheus scrapes it: whatever happens to the store, a scrape is answered."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from evaluators.evaluation import Judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.errors import StoreUnavailable
from metrics.clickhouse.stored_records import write_pairs
from metrics.pairs.pair import Pair
from streams.config.settings import Settings, settings_of
from streams.embedded.children import free_port
from streams.export.exporter import ExporterError, StoreReader, serve
from tests.builders import make_pair

SECRET = "hunter2-s3cr3t"
TEXT = "xylophone"
LABELS = {"row", "model", "window", "score", "kind", "verdict", "attribute", "epoch", "system_id", "served_model"}


def settings(dsn: str, *models: str, **metrics: int) -> Settings:
    judges = {f"judge_{n}": {"model": model} for n, model in enumerate(models)}
    needed = {"minimum_comparisons": 4, "minimum_transcripts": 2} | metrics
    return settings_of({"clickhouse": {"dsn": dsn}, "metrics": needed, "judges": judges})


@contextmanager
def exporting(settings: Settings) -> Iterator[str]:
    stop, port = serve(settings, 0)
    try:
        yield f"http://127.0.0.1:{port}/metrics"
    finally:
        stop()


class Scrape:
    """One scrape: its status, and its samples by name and labels."""

    def __init__(self, url: str) -> None:
        with urllib.request.urlopen(url, timeout=20) as response:
            self.status = response.status
            self.text = response.read().decode()
        self.samples: dict[tuple[str, frozenset[tuple[str, str]]], float] = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(self.text)
            for sample in family.samples
        }

    def get(self, name: str, **labels: str) -> float | None:
        return self.samples.get((f"evenhand_{name}", frozenset(labels.items())))

    def values(self, label: str, name: str) -> set[str]:
        """The values of a label in the series of one name."""
        return {dict(labels)[label] for sample, labels in self.samples if sample == f"evenhand_{name}"}


NOTHING_BUT_AWAY = {("evenhand_store_up", frozenset[tuple[str, str]]()): 0.0}


def pairs(
    model: str, count: int = 5, *, epoch: str = "e", age: timedelta = timedelta(minutes=1), prefix: str = "c"
) -> list[Pair]:
    """Pairs of four comparisons each, of which one flips, and repeats that never do."""
    fields: dict[str, Any] = {
        "judge": Judge(provider="openai", model=model, served_model=f"{model}-0401"),
        "epoch": epoch,
        "occurred_at": datetime.now(UTC) - age,
        "evaluated_at": datetime.now(UTC) - age,
        "labels": {"agent": TEXT},
    }
    made = [
        make_pair("yyyn", "nyyn", transcript_id=f"{prefix}-{n}", row="agent_gender", **fields) for n in range(count)
    ]
    return made + [
        make_pair("yy", "yy", transcript_id=f"{prefix}-{n}", row="robustness", **fields) for n in range(count)
    ]


def write(dsn: str, *batches: list[Pair]) -> None:
    async def writing() -> None:
        async with await connect(dsn) as client:
            for pairs in batches:
                assert await write_pairs(client, pairs) == []

    asyncio.run(writing())


def test_figures_of_each_window_exact_and_without_ids_or_texts(store: str) -> None:
    recent, older = pairs("a"), pairs("a", 4, age=timedelta(hours=5), prefix="d")
    write(store, recent, older, recent)
    with exporting(settings(store)) as url:
        scrape = Scrape(url)
    assert scrape.status == 200
    assert scrape.get("store_up") == 1
    at = {"row": "agent_gender", "model": "a"}
    for window, transcripts in (("1h", 5), ("24h", 9), ("7d", 9)):
        assert scrape.get("window_transcripts", **at, window=window) == transcripts
        assert scrape.get("window_comparisons", **at, window=window) == 4 * transcripts
        assert scrape.get("cfr_ratio", **at, window=window) == 0.25
        assert scrape.get("cfr_excess_ratio", **at, window=window) == 0.25
        assert scrape.get("masd_points", **at, window=window, score="positive") == 0
    lower = scrape.get("cfr_lower_ratio", **at, window="1h")
    upper = scrape.get("cfr_upper_ratio", **at, window="1h")
    assert lower is not None
    assert upper is not None
    assert 0 <= lower <= 0.25 <= upper <= 1
    assert scrape.get("cfr_ratio", row="robustness", model="a", window="1h") == 0
    assert {label for _, labels in scrape.samples for label, _ in labels} <= LABELS
    assert [word for word in (TEXT, '"c-', '"d-', "q1") if word in scrape.text] == []


def test_with_too_few_comparisons_the_figures_are_absent_and_the_counts_given(store: str) -> None:
    write(store, pairs("a"))
    with exporting(settings(store, minimum_transcripts=6)) as url:
        scrape = Scrape(url)
    assert scrape.get("window_comparisons", row="agent_gender", model="a", window="1h") == 20
    assert {name for name, _ in scrape.samples} - {"evenhand_alarm"} == {
        "evenhand_store_up",
        "evenhand_window_comparisons",
        "evenhand_window_transcripts",
        "evenhand_verdict",
        "evenhand_epoch_info",
    }
    assert scrape.get("verdict", row="agent_gender", model="a", window="1h", verdict="unknown") == 1
    assert scrape.get("verdict", row="agent_gender", model="a", window="1h", verdict="none") == 0


def test_a_judge_that_is_configured_no_longer_vanishes_at_once(store: str) -> None:
    write(store, pairs("a"), pairs("b", prefix="d"))
    for configured, shown in ((["a"], {"a"}), (["b"], {"b"}), (["a", "b"], {"a", "b"}), ([], {"a", "b"})):
        with exporting(settings(store, *configured)) as url:
            scrape = Scrape(url)
        for name in ("cfr_ratio", "cfr_lower_ratio", "masd_points", "window_comparisons", "epoch_info"):
            assert scrape.values("model", name) == shown


def test_a_swap_takes_the_old_epochs_figures_away(store: str) -> None:
    write(store, pairs("a", epoch="old", age=timedelta(minutes=9)))
    with exporting(settings(store, "a")) as url:
        before = Scrape(url)
    write(store, pairs("a", 3, epoch="new", age=timedelta(minutes=2), prefix="d"))
    with exporting(settings(store, "a")) as url:
        after = Scrape(url)
    at = {"row": "agent_gender", "model": "a", "window": "1h"}
    assert (before.get("window_transcripts", **at), after.get("window_transcripts", **at)) == (5, 3)
    assert (before.values("epoch", "epoch_info"), after.values("epoch", "epoch_info")) == ({"old"}, {"new"})


def test_away_means_no_figures_and_still_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    with (
        caplog.at_level(logging.WARNING, "evenhand"),
        exporting(settings(f"clickhouse://u:{SECRET}@127.0.0.1:{port}/db")) as url,
    ):
        scrape = Scrape(url)
        again = Scrape(url)
    assert scrape.status == again.status == 200
    assert scrape.samples == NOTHING_BUT_AWAY
    assert f"127.0.0.1:{port} can't be reached" in caplog.text
    assert SECRET not in caplog.text + scrape.text
    # The second scrape within the refresh time asked nobody.
    assert caplog.text.count("no figures for this scrape") == 1


def test_a_store_that_never_answers_costs_no_scrape(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.export.exporter.READ_SECONDS", 0.3)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        here = settings(f"clickhouse://127.0.0.1:{silent.getsockname()[1]}/db")
        assert StoreReader(here, lambda: datetime.now(UTC), time.monotonic)() is None
    assert "didn't answer within 0.3 s" in caplog.text


def test_an_unmigrated_database_and_a_bug_cost_no_scrape(
    store_server: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with exporting(settings(store_server)) as url:
        assert Scrape(url).samples == NOTHING_BUT_AWAY
    assert "evenhand migrate" in caplog.text

    async def broken(*_: object) -> None:
        raise KeyError(TEXT)

    monkeypatch.setattr("streams.export.exporter.read_store", broken)
    with exporting(settings(store_server)) as url:
        assert Scrape(url).samples == NOTHING_BUT_AWAY
    assert "KeyError" in caplog.text
    assert TEXT not in caplog.text


def test_figures_come_back_after_the_refresh_time(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(store, pairs("a"))
    clock = [100.0]
    read = StoreReader(settings(store), lambda: datetime.now(UTC), lambda: clock[0])
    first = read()
    assert first is not None
    clock[0] += 9.0
    assert read() is first

    async def away(*_: object) -> None:
        raise StoreUnavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr("streams.export.exporter.connect", away)
        clock[0] += 1.0
        assert read() is None
        clock[0] += 9.0
        assert read() is None
    clock[0] += 1.0
    again = read()
    assert again is not None
    assert again.windows["1h"] == first.windows["1h"]


def test_a_port_in_use_is_told(store_server: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ExporterError, match=rf"port {port} .*in use.*metrics.exporter_port"):
            serve(settings(store_server), port)
