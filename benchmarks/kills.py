"""Kills a worker in mid-stream, again and again, and holds what comes out against an undisturbed run.

    python -m benchmarks.kills [--transcripts 300] [--kills 6] [--seed 20261130]

On the embedded broker, and on an Apache Kafka where Java and Maven are there. Every evaluation, pair and figure must
be the undisturbed run's; a difference ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from metrics.clickhouse.migrate import migrate
from perturbations.records.transcript import Transcript
from streams.embedded.broker import start_broker
from streams.embedded.children import Children
from streams.embedded.store_process import start_store
from tests.conftest import Broker, running_children
from tests.kafka.apache_kafka import ApacheKafka, KafkaMissing
from tests.real_transcripts import real_transcripts
from tests.streams.harness import renamed
from tests.streams.killed_run import killed_run


@contextmanager
def brokers(directory: Path, children: Children, say: Callable[[str], None]) -> Iterator[list[Broker]]:
    """The brokers that can run here."""
    _, address = asyncio.run(start_broker(children))
    started = [Broker.tansu(address)]
    try:
        kafka = ApacheKafka(directory / "apache-kafka")
    except KafkaMissing as missing:
        say(f"no Apache Kafka here: {missing}")
        yield started
        return
    try:
        kafka.start()
        yield [*started, Broker.kafka(kafka.bootstrap_servers)]
    finally:
        kafka.stop()


async def killed(
    children: Children, broker: Broker, directory: Path, transcripts: Sequence[Transcript], kills: int, seed: int
) -> int:
    """How many evaluations the run on this broker came to, in a store of its own."""
    _, dsn = await start_store(children, directory / "store")
    await migrate(dsn)
    prefix = f"kills-{broker.kind}."
    return await killed_run(broker, prefix, dsn, directory, transcripts=transcripts, kills=kills, seed=seed)


def main(say: Callable[[str], None] = print) -> None:
    """Print one line for each broker."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--transcripts", type=int, default=300)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=20261130)
    options = parser.parse_args()
    transcripts = renamed(real_transcripts(), options.transcripts)
    with tempfile.TemporaryDirectory(prefix="evenhand-kills-") as name:
        directory = Path(name)
        with running_children(directory / "logs") as children, brokers(directory, children, say) as running:
            for broker in running:
                (directory / broker.kind).mkdir()
                began = time.monotonic()
                evaluations = asyncio.run(
                    killed(children, broker, directory / broker.kind, transcripts, options.kills, options.seed)
                )
                say(
                    f"{broker.kind:6} {options.kills} kills in {time.monotonic() - began:.0f} s: {evaluations:,} "
                    f"evaluations of {options.transcripts} transcripts, their pairs and the figures are the same"
                )


if __name__ == "__main__":
    main()
