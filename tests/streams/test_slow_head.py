"""Killed while one evaluation alone is slow, the stream loses nothing: its ack waited for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from evaluators.simulated.profile import default_profile
from tests.conftest import Broker
from tests.real_transcripts import real_transcripts
from tests.streams.harness import renamed, running_judge, running_stream
from tests.streams.undisturbed import QUICK, ROWS, assert_same, judged_ids, undisturbed_run


async def test_one_slow_evaluation_survives_a_kill_wherever_it_stands(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    """The first of a partition, the first after a commit, one in the middle: each alone un-acked at the kill."""
    transcripts = renamed(real_transcripts(), 18)
    first, after_commit, middle = transcripts[0], transcripts[6], transcripts[15]
    async with (
        running_judge(default_profile()) as judge,
        running_stream(
            broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS, partitions=1,
            worker={"perturb_concurrency": 1}, kafka=QUICK,
        ) as stream,
    ):  # fmt: skip
        expected = judged_ids(stream.settings, transcripts)
        undisturbed = await undisturbed_run(stream.settings, transcripts, judge)
        worker = await stream.start_worker()
        sent = 0
        for upto, slow in ((6, first), (12, after_commit), (18, middle)):
            held_call = expected[slow.transcript_id][0]
            judge.hold(held_call)
            await stream.send_transcripts(transcripts[sent:upto])
            due = sum(len(expected[t.transcript_id]) for t in transcripts[:upto])
            await stream.wait(lambda p, due=due: p.evaluations == due - 1)  # type: ignore[misc]
            await asyncio.sleep(2)  # beyond the commit interval: whatever can be committed is
            assert held_call not in {e.evaluation_id for e in await stream.evaluations()}
            await stream.kill(worker)
            judge.release()
            worker = await stream.start_worker()
            await stream.through(upto)
            await asyncio.sleep(2)  # let it commit, so that the next one is the first after a commit
            sent = upto
        await assert_same(stream, undisturbed)
