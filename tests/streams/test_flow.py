"""The main job on both brokers: transcripts in, evaluations and pairs out, bad records to the dead letters."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from evaluators.simulated.profile import default_profile
from metrics.clickhouse.client import connect
from metrics.figures.measure import measure
from metrics.figures.thresholds import Thresholds
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import pair_evaluations
from metrics.prometheus.gauges import FairnessCollector
from streams.export.exporter import read_store
from streams.kafka.topics import DEAD_LETTERS, PAIRS
from tests.conftest import Broker
from tests.real_transcripts import real_transcripts
from tests.streams.harness import renamed, running_judge, running_stream

ROWS = ("agent_gender", "agent_disability", "past_performance", "politeness")

BAD_RECORDS: dict[str, bytes | None] = {
    "not_utf8": b"\xff\xfe",
    "null": None,
    "not_json": b"{not json",
    "invalid": b'{"transcript_id": 7}',
    "no_turns": b'{"transcript_id": "c-1", "turns": []}',
    "wrong_types": b'{"transcript_id": "c-2", "turns": [{"speaker": "agent", "text": 5}]}',
    "unknown_schema_version": b'{"schema_version": 9, "transcript_id": "c-3", "turns": []}',
    "too_large": b'{"transcript_id": "c-4", "turns": [{"speaker": "agent", "text": "' + b"x" * 3_000_000 + b'"}]}',
    "surrogate": b'{"transcript_id": "c-5", "turns": [{"speaker": "agent", "text": "\\ud83d"}]}',
    "unstorable_time": b'{"transcript_id": "c-6", "occurred_at": "9999-01-01T00:00:00Z", '
    b'"turns": [{"speaker": "agent", "text": "hi"}]}',
    "unknown_judge": b'{"transcript_id": "c-7", "judge": "nobody", "turns": [{"speaker": "agent", "text": "hi"}]}',
}
REASONS = {
    "no_turns": "invalid",
    "wrong_types": "invalid",
    "surrogate": "not_json",
    "unstorable_time": "invalid",
}


async def test_transcripts_become_figures_and_bad_records_dead_letters(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    transcripts = renamed(real_transcripts(), 24)
    partial = transcripts[0].model_copy(update={"transcript_id": "partial", "status": "in_progress"})
    async with (
        running_judge(default_profile()) as judge,
        running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS) as stream,
    ):
        await stream.start_worker()
        await stream.send_transcripts([partial, *transcripts[:12]])
        await stream.send((name.encode(), value) for name, value in BAD_RECORDS.items())
        await stream.send_transcripts(transcripts[12:])
        await stream.through(24)

        evaluations, pairs = await stream.evaluations(), await stream.pairs()
        made = pair_evaluations(deduplicate(evaluations).evaluations)
        assert {pair.pair_id: pair for pair in pairs} == {pair.pair_id: pair for pair in made}
        assert {e.outcome for e in evaluations} == {"ok"}
        assert len(judge.asked) == len(set(judge.asked)) == len(evaluations)
        assert sorted(judge.asked) == sorted(e.evaluation_id or "" for e in evaluations)

        sent = [Pair.model_validate_json(record.value) for record in await stream.records(PAIRS, len(made))]
        assert {pair.pair_id for pair in sent} == {pair.pair_id for pair in made}

        await _assert_dead_letters(stream.records)
        await _assert_counters(stream.metrics_url, evaluations=len(evaluations), pairs=made)
        await _assert_gauges(store, made)


async def _assert_dead_letters(records) -> None:  # type: ignore[no-untyped-def]
    letters = {record.key.decode(): record for record in await records(DEAD_LETTERS, len(BAD_RECORDS))}
    assert set(letters) - {"c-7"} == set(BAD_RECORDS) - {"unknown_judge"}
    for name, value in BAD_RECORDS.items():
        letter = letters["c-7" if name == "unknown_judge" else name]
        headers = {key: content.decode() for key, content in letter.headers}
        assert headers["reason"] == REASONS.get(name, name)
        if name == "unknown_judge":
            # It was a good transcript for the first stage: the next one has it in its own record.
            assert headers["stage"] == "perturb"
            assert json.loads(letter.value)["transcript"]["transcript_id"] == "c-7"
        else:
            assert headers["stage"] == "sample"
            assert letter.value == value
            assert headers["topic"].endswith("autoqa.transcripts.v1")
            assert headers["offset"].isdigit()


async def _assert_counters(url: str, *, evaluations: int, pairs: list[Pair]) -> None:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        text = await response.text()
    samples = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }

    def total(name: str, **labels: str) -> float:
        return sum(v for (n, own), v in samples.items() if n == name and labels.items() <= dict(own).items())

    assert total("evenhand_transcripts_total", outcome="sampled") == 25
    assert total("evenhand_transcripts_total", outcome="in_progress") == 1
    assert total("evenhand_evaluations_total", outcome="ok", model="judge-x") == evaluations
    assert total("evenhand_evaluations_total", outcome="refused") == 0
    assert total("evenhand_dead_letters_total") == len(BAD_RECORDS)
    assert total("evenhand_judge_tokens_total", kind="input") > 0
    for row in ROWS:
        row_pairs = [pair for pair in pairs if pair.row == row and pair.kind == "attribute"]
        assert total("evenhand_pairs_total", row=row) == len(row_pairs)
        assert total("evenhand_comparisons_total", row=row) == sum(pair.comparisons for pair in row_pairs)
        assert total("evenhand_flips_total", row=row) == sum(pair.flips for pair in row_pairs)
    # Series of rows that nothing was compared in yet exist, at 0.
    assert ("evenhand_flips_total", (("model", "judge-x"), ("row", "politeness"))) in samples


async def _assert_gauges(dsn: str, pairs: list[Pair]) -> None:
    now = datetime.now(UTC)
    async with await connect(dsn) as client:
        reading = await read_store(client, Thresholds(), now)
        later = await read_store(client, Thresholds(), now + timedelta(days=2))
    registry = CollectorRegistry()
    registry.register(FairnessCollector(lambda: reading))
    row_pairs = [pair for pair in pairs if pair.row == "past_performance" and pair.kind == "attribute"]
    comparisons = sum(pair.comparisons for pair in row_pairs)
    labels = {"row": "past_performance", "model": "judge-x", "window": "1h"}
    assert registry.get_sample_value("evenhand_window_comparisons", labels) == comparisons
    cfr = registry.get_sample_value("evenhand_cfr_ratio", labels)
    assert cfr == pytest.approx(sum(pair.flips for pair in row_pairs) / comparisons)
    masd = registry.get_sample_value("evenhand_masd_points", {**labels, "score": "confidence"})
    total = sum(pair.confidence_absolute_difference_sum for pair in row_pairs)
    assert masd == pytest.approx(total / sum(pair.confidence_count for pair in row_pairs))
    assert registry.get_sample_value("evenhand_store_up", {}) == 1
    # What has left the window has no series: absent, not 0.
    assert {figures.row for figures in later.windows["1h"]} == set()
    assert {figures.row for figures in later.windows["7d"]} == {*ROWS, "robustness"}


async def test_agents_run_apart_and_share_the_work(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    async with (
        running_judge(default_profile()) as judge,
        running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=["politeness"]) as stream,
    ):
        for agents in (("sample", "perturb"), ("evaluate",), ("evaluate",), ("pair",)):
            await stream.start_worker(*agents)
        await stream.send_transcripts(renamed(real_transcripts(), 30))
        await stream.through(30)
        measurement = measure(await stream.evaluations())
        assert measurement.rows["politeness"].comparisons > 0
        assert len(await stream.pairs()) == len(pair_evaluations(await stream.evaluations()))
