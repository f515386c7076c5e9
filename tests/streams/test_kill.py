"""Killed at any moment, the stream ends in the same evaluations, pairs and figures as undisturbed."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from evaluators.simulated.profile import default_profile
from tests.conftest import Broker
from tests.real_transcripts import real_transcripts
from tests.streams.harness import renamed, running_judge, running_stream
from tests.streams.undisturbed import QUICK, ROWS, assert_same, undisturbed_run

TRANSCRIPTS = 120


async def test_three_kills_at_random_moments_change_nothing(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    transcripts = renamed(real_transcripts(), TRANSCRIPTS)
    moments = random.Random(20261130)
    async with (
        running_judge(default_profile()) as judge,
        running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS, kafka=QUICK) as stream,
    ):
        undisturbed = await undisturbed_run(stream.settings, transcripts, judge)
        worker = await stream.start_worker()
        await stream.send_transcripts(transcripts)
        for _ in range(3):
            before = await stream.wait(lambda p: p.transcripts > 0)
            await stream.wait(lambda p, least=before.evaluations: p.evaluations > least)  # type: ignore[misc]
            await asyncio.sleep(moments.uniform(0.0, 1.5))
            await stream.kill(worker)
            worker = await stream.start_worker()
            assert len(await stream.evaluations()) < len(undisturbed)  # it was in mid-stream
        await stream.through(TRANSCRIPTS, seconds=180)
        await assert_same(stream, undisturbed)
