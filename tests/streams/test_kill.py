"""Killed at any moment, the stream ends in the same evaluations, pairs and figures as undisturbed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluators.evaluate import evaluate, make_judge
from evaluators.evaluation import Evaluation, evaluation_id
from evaluators.simulated.profile import default_profile
from metrics.dedup import deduplicate
from metrics.measure import dump, measure
from metrics.pair import Pair
from metrics.pairing import pair_evaluations
from perturbations.arms import is_judged, make_arms, with_rubric
from perturbations.transcript import Transcript
from perturbations.variant import VariantMessage
from streams.rubric import rubric_of
from streams.settings import Settings
from tests.conftest import Broker
from tests.real_transcripts import real_transcripts
from tests.streams.harness import JudgeUnderTest, Stream, renamed, running_judge, running_stream

ROWS = ("agent_disability", "politeness")

# A killed member is missed for the session timeout: as short as Apache Kafka allows.
QUICK = {"rebalance_timeout_seconds": 6.0, "session_timeout_seconds": 6.0, "heartbeat_seconds": 2.0}

# What legitimately differs between two runs: when things happened, and how long the judge took.
TIMES = {"received_at", "occurred_at", "evaluated_at", "latency_seconds", "attempts", "version"}


async def test_three_kills_at_random_moments_change_nothing(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    transcripts = renamed(real_transcripts(), 200)
    moments = random.Random(20261130)
    async with (
        running_judge(default_profile()) as judge,
        running_stream(broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS, kafka=QUICK) as stream,
    ):
        undisturbed = await _undisturbed(stream.settings, transcripts, judge)
        worker = await stream.start_worker()
        await stream.send_transcripts(transcripts)
        for _ in range(3):
            before = await stream.wait(lambda p: p.transcripts > 0)
            await stream.wait(lambda p, least=before.evaluations: p.evaluations > least)  # type: ignore[misc]
            await asyncio.sleep(moments.uniform(0.0, 1.5))
            await stream.kill(worker)
            worker = await stream.start_worker()
        await stream.through(200, seconds=180)
        await _assert_same(stream, undisturbed)


async def test_one_slow_evaluation_survives_a_kill_wherever_it_stands(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    """The first of a partition, the first after a commit, one in the middle: each alone un-acked at the kill."""
    transcripts = renamed(real_transcripts(), 30)
    first, after_commit, middle = transcripts[0], transcripts[10], transcripts[25]
    async with (
        running_judge(default_profile()) as judge,
        running_stream(
            broker, topic_prefix, store, tmp_path, judge_url=judge.url, rows=ROWS, partitions=1,
            worker={"perturb_concurrency": 1}, kafka=QUICK,
        ) as stream,
    ):  # fmt: skip
        expected = _judged(stream.settings, transcripts)
        undisturbed = await _undisturbed(stream.settings, transcripts, judge)
        worker = await stream.start_worker()
        sent = 0
        for upto, slow in ((10, first), (20, after_commit), (30, middle)):
            held = expected[slow.transcript_id][0]
            judge.hold(held)
            await stream.send_transcripts(transcripts[sent:upto])
            due = sum(len(expected[t.transcript_id]) for t in transcripts[:upto])
            await stream.wait(lambda p, due=due: p.evaluations == due - 1)  # type: ignore[misc]
            await asyncio.sleep(2)  # beyond the commit interval: whatever can be committed is
            assert held not in {e.evaluation_id for e in await stream.evaluations()}
            await stream.kill(worker)
            judge.release()
            worker = await stream.start_worker()
            await stream.through(upto)
            await asyncio.sleep(2)  # let it commit, so that the next one is the first after a commit
            sent = upto
        await _assert_same(stream, undisturbed)


def _arms(settings: Settings, transcript: Transcript) -> list[VariantMessage]:
    sampling = settings.sampling
    return make_arms(transcript, rows=ROWS, seed=settings.seed, repeats=sampling.repeats, design=sampling.design)


def _judged(settings: Settings, transcripts: Sequence[Transcript]) -> dict[str, list[str]]:
    """The evaluation ids of each transcript, in the order of its messages."""
    _, config = settings.judge_named(None)
    ids: dict[str, list[str]] = {}
    for transcript in transcripts:
        full = with_rubric(transcript, rubric_of(settings))
        for arm in _arms(settings, full):
            if is_judged(arm):
                v = arm.variant
                key = (v.transcript_id, arm.transcript_hash, v.row, v.attribute, v.draw, arm.repeat, config.system_id)
                ids.setdefault(transcript.transcript_id, []).append(evaluation_id(*key))
    return ids


async def _undisturbed(
    settings: Settings, transcripts: Sequence[Transcript], judge: JudgeUnderTest
) -> list[Evaluation]:
    """The same evaluations asked for one after the other, without a broker, a store or a kill."""
    _, config = settings.judge_named(None)
    client = make_judge(config, None)
    arms = [
        arm
        for transcript in transcripts
        for arm in _arms(settings, with_rubric(transcript, rubric_of(settings)))
        if is_judged(arm)
    ]
    free = asyncio.Semaphore(16)

    async def ask(arm: Any) -> Evaluation:
        async with free:
            return await evaluate(arm, client, now=lambda: datetime.now(UTC))

    try:
        return await asyncio.gather(*(ask(arm) for arm in arms))
    finally:
        await client.aclose()
        judge.asked.clear()


async def _assert_same(stream: Stream, undisturbed: Sequence[Evaluation]) -> None:
    found = await stream.evaluations()
    assert _without_times(found) == _without_times(undisturbed)
    wanted = pair_evaluations(deduplicate(undisturbed).evaluations)
    assert _without_times(await stream.pairs()) == _without_times(wanted)
    assert dump(measure(found)) == dump(measure(undisturbed))


def _without_times(records: Sequence[Evaluation] | Sequence[Pair]) -> dict[str, dict[str, Any]]:
    # The store leaves out the coaching note's text.
    plain = (record.model_dump(mode="json", exclude=TIMES | {"notes"}) for record in records)
    return {record.get("pair_id") or record["evaluation_id"]: record for record in plain}
