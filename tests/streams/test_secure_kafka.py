"""TLS and SASL settings reach every client: topics, sending, and the Faust app."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from streams.config.settings import settings_of
from streams.kafka.send import send_transcripts
from streams.kafka.topic_admin import TopicsError, check_topics, create_topics
from tests.conftest import unavailable
from tests.kafka.apache_kafka import PASSWORD, USER, ApacheKafka, KafkaMissing
from tests.real_transcripts import real_transcripts
from tests.streams.harness import worker_on

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def secure_kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    try:
        kafka = ApacheKafka(tmp_path_factory.mktemp("secure-kafka"), secure=True)
    except KafkaMissing as missing:
        unavailable("kafka", str(missing))
        raise
    try:
        kafka.start()
        yield kafka
    finally:
        kafka.stop()


def reaching(kafka: ApacheKafka, *, password: str = PASSWORD, **more: Any) -> dict[str, Any]:
    return {
        "bootstrap_servers": kafka.bootstrap_servers,
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_username": USER,
        "sasl_password": password,
        "ssl_cafile": str(kafka.authority),
        "rebalance_timeout_seconds": 6.0,
        "session_timeout_seconds": 6.0,
        "heartbeat_seconds": 2.0,
        **more,
    }


async def test_a_worker_consumes_and_produces_over_tls_with_scram(secure_kafka: ApacheKafka, tmp_path: Path) -> None:
    data = {"kafka": reaching(secure_kafka), "sampling": {"rate": 1.0}}
    settings = settings_of(data)
    await create_topics(settings.kafka)
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(f"{transcript.model_dump_json()}\n" for transcript in real_transcripts()[:5]))
    sent = await send_transcripts(settings, str(file), on_bad_line=lambda *_: pytest.fail("no line is bad"))
    assert sent.transcripts == 5
    async with worker_on(data, tmp_path, "sample", EVENHAND_KAFKA_SASL_PASSWORD=PASSWORD) as metrics:
        deadline = time.monotonic() + 40
        while 'outcome="sampled"} 5.0' not in await metrics():
            assert time.monotonic() < deadline
            await asyncio.sleep(0.3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"password": "wrong"}, "uthentication"),
        ({"security_protocol": "PLAINTEXT"}, "can't reach Kafka at"),
        ({"ssl_cafile": None}, "ertificate"),
    ],
)
async def test_what_keeps_us_out_is_said_without_the_password(
    secure_kafka: ApacheKafka, change: dict[str, Any], words: str
) -> None:
    settings = settings_of({"kafka": reaching(secure_kafka, **change)})
    with pytest.raises(TopicsError) as refused:
        await check_topics(settings.kafka)
    assert words in str(refused.value)
    assert PASSWORD not in str(refused.value)
    assert "wrong" not in str(refused.value)
