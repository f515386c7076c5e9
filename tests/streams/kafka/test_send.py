"""Transcripts onto the topic: the file's own bytes, keyed by id; bad lines and second contents are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, ConsumerRecord
from aiokafka.errors import KafkaConnectionError

from streams.config.settings import Settings, settings_of
from streams.embedded.children import free_port
from streams.kafka.send import Sent, send_transcripts
from streams.kafka.topic_admin import TopicsError, create_topics
from streams.kafka.topics import TRANSCRIPTS, topic_name
from tests.builders import make_transcript
from tests.streams.command import run_here

BAD = [b'{"transcript_id": "b", "turns": []}', b"{xylophone", b"\xff"]


@pytest.fixture
async def settings(tansu_broker: str, topic_prefix: str) -> Settings:
    kafka = {"bootstrap_servers": tansu_broker, "topic_prefix": topic_prefix, "partitions": 2}
    settings = settings_of({"kafka": kafka})
    await create_topics(settings.kafka)
    return settings


async def records(settings: Settings, count: int) -> list[ConsumerRecord]:
    consumer = AIOKafkaConsumer(
        topic_name(settings.kafka, TRANSCRIPTS),
        bootstrap_servers=settings.kafka.bootstrap_servers,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    await consumer.start()
    received: list[ConsumerRecord] = []
    try:
        while len(received) < count:
            for batch in (await consumer.getmany(timeout_ms=5_000)).values():
                received += batch
        # Nothing comes after what was expected.
        assert not await consumer.getmany(timeout_ms=300)
    finally:
        await consumer.stop()
    return received


async def test_the_bytes_go_as_they_are_keyed_by_id_and_bad_lines_are_told(
    settings: Settings, tmp_path: Path
) -> None:
    # An unknown field, spaces and escapes: nothing of a line is read and written anew.
    form = '{ "transcript_id":"c-%d",  "turns":[{"text":"caf\\u00e9 \u00e9","speaker":"agent"}], "more": 1.50 }'
    good = [(form % n).encode() for n in range(20)]
    file = tmp_path / "calls.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join([*good[:3], *BAD, b"", *good[3:]]))
    faults: list[tuple[int, str]] = []
    lines = 0

    def line() -> None:
        nonlocal lines
        lines += 1

    sent = await send_transcripts(
        settings, str(file), on_bad_line=lambda number, fault: faults.append((number, fault)), on_line=line
    )
    assert sent == Sent(transcripts=20, distinct=20, bad_lines=3)
    assert lines == 23
    assert [number for number, _ in faults] == [4, 5, 6]
    assert [fault.partition(":")[0] for _, fault in faults] == ["invalid", "not_json", "not_utf8"]
    assert "xylophone" not in str(faults)
    received = {record.key: record.value for record in await records(settings, 20)}
    assert received == {f"c-{n}".encode(): raw for n, raw in enumerate(good)}


async def test_a_second_content_under_one_id_is_told_and_sent(settings: Settings, tmp_path: Path) -> None:
    first, second = make_transcript("c-1"), make_transcript("c-1", ("agent", "Something else."))
    file = tmp_path / "calls.jsonl"
    versions = [first, first, second, second, first]
    file.write_text("\n".join(transcript.model_dump_json() for transcript in versions))
    faults: list[tuple[int, str]] = []
    sent = await send_transcripts(settings, str(file), on_bad_line=lambda *fault: faults.append(fault))
    assert sent == Sent(transcripts=5, distinct=1, bad_lines=0)
    assert [number for number, _ in faults] == [3, 5]
    assert all("second, different content" in fault for _, fault in faults)
    # One partition holds them all, in their order.
    received = await records(settings, 5)
    assert [record.value.decode() for record in received] == [transcript.model_dump_json() for transcript in versions]


def test_the_command_counts_and_ends_with_one_after_a_bad_line(
    tansu_broker: str, topic_prefix: str, tmp_path: Path
) -> None:
    environment = {"EVENHAND_KAFKA_BOOTSTRAP_SERVERS": tansu_broker, "EVENHAND_KAFKA_TOPIC_PREFIX": topic_prefix}
    stdin = make_transcript().model_dump_json().encode() + b"\n" + BAD[0] + b"\n"
    missing = run_here("ingest", "-", cwd=tmp_path, stdin=stdin, environment=environment)
    assert (missing.code, missing.out) == (1, "")
    assert missing.said("topics missing", "autoqa.transcripts.v1", "create them with `evenhand topics`")
    assert run_here("topics", cwd=tmp_path, environment=environment).code == 0
    ran = run_here("ingest", "-", cwd=tmp_path, stdin=stdin, environment=environment)
    assert (ran.code, ran.out) == (1, "")
    bad_line, summary = ran.err.splitlines()
    assert bad_line.startswith("line 2: invalid: turns")
    assert summary == "1 transcripts sent; 1 could not be read"
    ran = run_here("ingest", "-", cwd=tmp_path, environment=environment)
    assert (ran.code, ran.err) == (0, "0 transcripts sent\n")


async def test_files_and_brokers_that_are_not_there(settings: Settings, tmp_path: Path) -> None:
    def never(number: int, fault: str) -> None:
        raise AssertionError(f"{number}: {fault}")

    with pytest.raises(FileNotFoundError):
        await send_transcripts(settings, str(tmp_path / "none.jsonl"), on_bad_line=never)
    nowhere = settings_of({"kafka": {"bootstrap_servers": f"127.0.0.1:{free_port()}"}})
    with pytest.raises(TopicsError, match="can't reach Kafka"):
        await send_transcripts(nowhere, str(tmp_path / "none.jsonl"), on_bad_line=never)


async def test_a_broker_that_goes_away_is_told(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object, **__: object) -> None:
        raise KafkaConnectionError("gone")

    file = tmp_path / "calls.jsonl"
    file.write_text(make_transcript().model_dump_json())
    for method in ("start", "send"):
        with monkeypatch.context() as patch:
            patch.setattr(f"streams.kafka.send.AIOKafkaProducer.{method}", away)
            with pytest.raises(TopicsError, match=r"did not take a record \(KafkaConnectionError\)"):
                await send_transcripts(settings, str(file), on_bad_line=lambda *_: None)
