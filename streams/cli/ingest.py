"""`evenhand ingest`."""

from __future__ import annotations

import click
from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError

from perturbations.errors import RecordError
from perturbations.transcript import read_transcript
from streams.app import HEADROOM_BYTES
from streams.cli.common import RunError, count_lines, progress_bar, read_lines, run_async, say, with_settings
from streams.kafka_client import client_options
from streams.settings import Settings
from streams.topics import TRANSCRIPTS, TopicsError, check_topics, topic_name


@click.command(epilog="Examples: evenhand ingest calls.jsonl;  zcat calls.jsonl.gz | evenhand ingest -")
@click.argument("file")
@with_settings
def ingest(settings: Settings, *, file: str) -> None:
    """Send the transcripts in FILE (- for standard input), one JSON object a line, onto the transcripts topic.

    A line that is no transcript is told with its number and reason; the rest goes on, and the exit code is 1.
    """
    sent, bad = run_async(send_file(settings, file))
    say(f"{sent:,} transcripts sent" + (f"; {bad:,} lines could not be read" if bad else ""))
    if bad:
        raise click.exceptions.Exit(1)


async def send_file(settings: Settings, file: str) -> tuple[int, int]:
    """Send a file's transcripts; gives how many were sent and how many lines were bad. Raises RunError."""
    try:
        await check_topics(settings.kafka)
    except TopicsError as error:
        raise RunError(str(error)) from None
    producer = AIOKafkaProducer(
        **client_options(settings.kafka),
        acks="all",
        linger_ms=20,
        max_request_size=settings.kafka.max_message_bytes + HEADROOM_BYTES,
    )
    await producer.start()
    try:
        return await _send_lines(settings, file, producer)
    except KafkaError as error:
        raise RunError(
            f"Kafka at {settings.kafka.bootstrap_servers} did not take a record ({type(error).__name__})"
        ) from None
    finally:
        await producer.stop()


async def _send_lines(settings: Settings, file: str, producer: AIOKafkaProducer) -> tuple[int, int]:
    topic = topic_name(settings.kafka, TRANSCRIPTS)
    contents: dict[str, str] = {}
    futures = []
    bad = 0
    with progress_bar() as progress:
        task = progress.add_task("sending", total=count_lines(file))
        for number, line in read_lines(file):
            progress.advance(task)
            try:
                transcript = read_transcript(line, max_bytes=settings.sampling.max_transcript_bytes)
            except RecordError as error:
                say(f"line {number}: {error}")
                bad += 1
                continue
            content = transcript.content_hash
            if contents.setdefault(transcript.transcript_id, content) != content:
                say(f"line {number}: a second, different content under one transcript_id; the later one counts")
            futures.append(await producer.send(topic, key=transcript.transcript_id.encode(), value=line))
        for future in futures:
            await future
    return len(futures), bad
