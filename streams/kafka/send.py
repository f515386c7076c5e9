"""Transcripts from a file onto the topic."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError

from perturbations.records.errors import RecordError
from perturbations.records.transcript import read_transcript
from streams.config.settings import Settings
from streams.kafka.connection import HEADROOM_BYTES, client_options
from streams.kafka.topic_admin import TopicsError, check_topics
from streams.kafka.topics import TRANSCRIPTS, topic_name
from streams.lines import read_lines

IN_FLIGHT = 1_000


@dataclass(frozen=True)
class Sent:
    """How many transcripts were sent, how many different ids they had, and how many lines were no transcripts."""

    transcripts: int = 0
    distinct: int = 0
    bad_lines: int = 0


async def send_transcripts(
    settings: Settings,
    file: str,
    *,
    on_bad_line: Callable[[int, str], None],
    on_line: Callable[[], None] = lambda: None,
) -> Sent:
    """Send a file's transcripts (`-`: standard input), byte for byte, keyed by transcript id.

    `on_bad_line` hears the number and the fault of each line that is no transcript, and of one that brings a second
    content under a known id; the rest goes on. Raises TopicsError, OSError for an unreadable file.
    """
    await check_topics(settings.kafka)
    producer = AIOKafkaProducer(
        **client_options(settings.kafka),
        acks="all",
        linger_ms=20,
        max_request_size=settings.kafka.max_message_bytes + HEADROOM_BYTES,
    )
    try:
        await producer.start()
        return await _send(settings, file, producer, on_bad_line, on_line)
    except KafkaError as error:
        raise TopicsError(
            f"Kafka at {settings.kafka.bootstrap_servers} did not take a record ({type(error).__name__})"
        ) from None
    finally:
        await producer.stop()


async def _send(
    settings: Settings,
    file: str,
    producer: AIOKafkaProducer,
    on_bad_line: Callable[[int, str], None],
    on_line: Callable[[], None],
) -> Sent:
    topic = topic_name(settings.kafka, TRANSCRIPTS)
    contents: dict[str, str] = {}
    flying: list[asyncio.Future[object]] = []
    sent = bad = 0
    for number, line in read_lines(file):
        on_line()
        try:
            transcript = read_transcript(line, max_bytes=settings.sampling.max_transcript_bytes)
        except RecordError as error:
            on_bad_line(number, str(error))
            bad += 1
            continue
        content = transcript.content_hash
        if contents.setdefault(transcript.transcript_id, content) != content:
            on_bad_line(number, "a second, different content under one transcript_id: the later one counts")
            contents[transcript.transcript_id] = content
        flying.append(await producer.send(topic, key=transcript.transcript_id.encode(), value=line))
        sent += 1
        if len(flying) >= IN_FLIGHT:
            await asyncio.gather(*flying)
            flying.clear()
    await asyncio.gather(*flying)
    return Sent(sent, len(contents), bad)
