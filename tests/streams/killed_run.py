"""A stream whose worker is killed again and again in mid-stream, and what an undisturbed run gives beside it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

from evaluators.simulated.profile import default_profile
from perturbations.records.transcript import Transcript
from tests.conftest import Broker
from tests.streams.harness import running_judge, running_stream
from tests.streams.undisturbed import QUICK, ROWS, assert_same, undisturbed_run


async def killed_run(
    broker: Broker,
    topic_prefix: str,
    dsn: str,
    directory: Path,
    *,
    transcripts: Sequence[Transcript],
    kills: int,
    seed: int = 20261130,
) -> int:
    """How many evaluations a stream came to whose worker was killed so often, up to 1.5 s after it had gone on.

    Fails where a kill came after the stream's end, and where evaluations, pairs or figures differ from an undisturbed
    run's.
    """
    moments = random.Random(seed)
    async with (
        running_judge(default_profile()) as judge,
        running_stream(
            broker, topic_prefix, dsn, directory, judge_url=judge.url, rows=ROWS, kafka=QUICK
        ) as stream,
    ):  # fmt: skip
        undisturbed = await undisturbed_run(stream.settings, transcripts, judge)
        worker = await stream.start_worker()
        await stream.send_transcripts(transcripts)
        for _ in range(kills):
            before = await stream.wait(lambda p: p.transcripts > 0)
            await stream.wait(lambda p, least=before.evaluations: p.evaluations > least)  # type: ignore[misc]
            await asyncio.sleep(moments.uniform(0.0, 1.5))
            await stream.kill(worker)
            worker = await stream.start_worker()
            assert len(await stream.evaluations()) < len(undisturbed), "killed when all was done"
        await stream.through(len(transcripts), seconds=300)
        await assert_same(stream, undisturbed)
    return len(undisturbed)
