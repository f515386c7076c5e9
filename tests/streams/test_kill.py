"""Killed at any moment, the stream ends in the same evaluations, pairs and figures as undisturbed.

A longer run of the same: `python -m benchmarks.kills`.
"""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Broker
from tests.real_transcripts import real_transcripts
from tests.streams.harness import renamed
from tests.streams.killed_run import killed_run


async def test_three_kills_at_random_moments_change_nothing(
    broker: Broker, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    transcripts = renamed(real_transcripts(), 80)
    evaluations = await killed_run(broker, topic_prefix, store, tmp_path, transcripts=transcripts, kills=3)
    # The original, its repeat and at least three arms of each: enough to be in the middle of when killed.
    assert evaluations >= 5 * len(transcripts)
