"""How far a stream has come, from the store alone: lag can't be asked of every broker."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.clickhouse.client import StoreClient
from perturbations.planning.anchors import FIRST_ROUND


@dataclass(frozen=True)
class Progress:
    """Transcripts whose arms are made, evaluations that these arms call for, and those of them that are stored."""

    transcripts: int
    expected: int
    evaluations: int


async def read_progress(client: StoreClient) -> Progress:
    """The present state. Raises the store's errors."""
    ((transcripts, expected),) = await client.rows(
        "SELECT toInt64(uniqExact(transcript_id)), "
        "toInt64(sumIf(repeats, status = 'accepted' OR row = 'robustness')) "
        "FROM variants FINAL"
    )
    ((evaluations,),) = await client.rows(
        "SELECT toInt64(count()) FROM evaluations FINAL WHERE repeat < {first_round:UInt32}",
        {"first_round": FIRST_ROUND},
    )
    return Progress(transcripts, expected, evaluations)
