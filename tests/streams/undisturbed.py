"""What an undisturbed run gives: the same evaluations asked for without a broker, a store or a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from evaluators.calling.judge_client import make_judge
from evaluators.evaluate import evaluate
from evaluators.evaluation import Evaluation, evaluation_id
from metrics.figures.measure import dump, measure
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import pair_evaluations
from perturbations.arms import is_judged, with_rubric
from perturbations.records.hashing import digest
from perturbations.records.transcript import Transcript
from perturbations.records.variant import VariantMessage
from streams.config.form import rubric_of
from streams.config.settings import Settings
from tests.streams.harness import JudgeUnderTest, Stream
from tests.variants import make_arms

ROWS = ("agent_disability", "politeness")

# A killed member is missed for the session timeout: half of what Apache Kafka allows by its defaults, which the
# brokers of the tests have lowered.
QUICK = {"rebalance_timeout_seconds": 3.0, "session_timeout_seconds": 3.0, "heartbeat_seconds": 1.0}

_answered: dict[str, list[Evaluation]] = {}
"""What undisturbed runs gave, by what was asked for."""

# What legitimately differs between two runs: when things happened, and how long the judge took.
TIMES = {"received_at", "occurred_at", "evaluated_at", "latency_seconds", "attempts", "version"}


def _arms(settings: Settings, transcript: Transcript) -> list[VariantMessage]:
    sampling = settings.sampling
    return make_arms(transcript, rows=ROWS, seed=settings.seed, repeats=sampling.repeats, design=sampling.design)


def judged_ids(settings: Settings, transcripts: Sequence[Transcript]) -> dict[str, list[str]]:
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


async def undisturbed_run(
    settings: Settings, transcripts: Sequence[Transcript], judge: JudgeUnderTest
) -> list[Evaluation]:
    """The same evaluations asked for one after the other, without a broker, a store or a kill.

    Asked once for the same transcripts: another broker, and where the judge listens, make no difference to them.
    """
    _, config = settings.judge_named(None)
    asked_for = digest(config.system_id, settings.seed, *(t.model_dump_json() for t in transcripts))
    if asked_for in _answered:
        return _answered[asked_for]
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
        _answered[asked_for] = await asyncio.gather(*(ask(arm) for arm in arms))
        return _answered[asked_for]
    finally:
        await client.aclose()
        judge.asked.clear()


async def assert_same(stream: Stream, undisturbed: Sequence[Evaluation]) -> None:
    evaluations = await stream.evaluations()
    assert without_times(evaluations) == without_times(undisturbed)
    wanted = pair_evaluations(deduplicate(undisturbed).evaluations)
    assert without_times(await stream.pairs()) == without_times(wanted)
    assert dump(measure(evaluations)) == dump(measure(undisturbed))


def without_times(records: Sequence[Evaluation] | Sequence[Pair]) -> dict[str, dict[str, Any]]:
    # The store leaves out the coaching note's text.
    plain = (record.model_dump(mode="json", exclude=TIMES | {"notes"}) for record in records)
    return {record.get("pair_id") or record["evaluation_id"]: record for record in plain}
