"""Flips by transcript and row for the alarms: exact, deduplicated, and only of what is complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from metrics.alarms.series import TranscriptFlips
from metrics.clickhouse.client import StoreClient
from metrics.pairs.dedup import EPOCH_ZERO
from perturbations.rows import ROBUSTNESS, ROWS

TRANSCRIPTS_A_QUERY = 2_000

_ORIGINALS = [name for name, row in ROWS.items() if row.original_attribute is not None]

# An original's evaluation is an arm of each row whose attributes have the original among them. A row is complete with
# every arm that was made judged, whatever the outcome, and with the pairs of those that answered.
_FLIPS = """
WITH
    {originals:Array(String)} AS originals,
    evaluated AS (
        SELECT transcript_id, transcript_hash, system_id, row, sum(arms) AS arms,
            sum(intDiv(ok * (ok - 1), 2)) AS pairs
        FROM (
            SELECT transcript_id, transcript_hash, system_id, epoch, served AS row, toInt64(count()) AS arms,
                toInt64(countIf(outcome = 'ok')) AS ok
            FROM evaluations FINAL
            ARRAY JOIN if(row = 'robustness' AND repeat = 0, arrayPushBack(originals, row), [toString(row)]) AS served
            WHERE draw = 0 AND transcript_id IN {ids:Array(String)}
            GROUP BY transcript_id, transcript_hash, system_id, epoch, served
        )
        GROUP BY transcript_id, transcript_hash, system_id, row
    ),
    wanted AS (
        SELECT transcript_id, transcript_hash, toString(row) AS row,
            if(row = 'robustness', toInt64(max(repeats)),
               toInt64(countIf(status = 'accepted' AND draw = 0) + has(originals, row))) AS arms
        FROM variants FINAL
        WHERE transcript_id IN {ids:Array(String)}
        GROUP BY transcript_id, transcript_hash, row
    ),
    paired AS (
        SELECT transcript_id, transcript_hash, system_id, toString(row) AS row, epoch, any(provider) AS provider,
            any(model) AS model, max(evaluated_at) AS completed_at, toInt64(sum(flips)) AS flips,
            toInt64(sum(comparisons)) AS comparisons,
            sum(toInt64(count())) OVER (PARTITION BY transcript_id, transcript_hash, system_id, row) AS pairs
        FROM pairs FINAL
        WHERE kind IN ('attribute', 'repeat') AND transcript_id IN {ids:Array(String)}
        GROUP BY transcript_id, transcript_hash, system_id, row, epoch
    )
SELECT transcript_id, transcript_hash, system_id, row, epoch, provider, model, completed_at, flips, comparisons
FROM evaluated
INNER JOIN wanted USING (transcript_id, transcript_hash, row)
LEFT JOIN paired USING (transcript_id, transcript_hash, system_id, row)
WHERE evaluated.arms >= wanted.arms AND evaluated.pairs = paired.pairs
"""

_TOUCHED = """
SELECT DISTINCT transcript_id FROM (
    SELECT transcript_id FROM evaluations WHERE stored_at >= {since:DateTime('UTC')}
    UNION ALL
    SELECT transcript_id FROM pairs WHERE stored_at >= {since:DateTime('UTC')}
)
ORDER BY transcript_id
"""


@dataclass(frozen=True)
class Touched:
    """Transcripts of which something was stored since a time, and the store's own time when that was asked."""

    transcript_ids: Sequence[str]
    asked_at: datetime


async def touched_transcripts(client: StoreClient, since: datetime | None = None) -> Touched:
    """The transcripts with evaluations or pairs stored at or after `since`, all by default."""
    [(asked_at,)] = await client.rows("SELECT now('UTC')")
    rows = await client.rows(_TOUCHED, {"since": (since or EPOCH_ZERO).astimezone(UTC)})
    return Touched([transcript_id for (transcript_id,) in rows], asked_at)


async def complete_flips_of(client: StoreClient, transcript_ids: Sequence[str]) -> dict[str, list[TranscriptFlips]]:
    """What each of these transcripts adds to the rows in which it is complete, by transcript.

    Complete is a row when every arm that was made has been judged, the original and its repeats included, and the
    pairs of the arms that answered are stored. Rows of a transcript that isn't complete yet are left out.
    """
    flips: dict[str, list[TranscriptFlips]] = {}
    for start in range(0, len(transcript_ids), TRANSCRIPTS_A_QUERY):
        ids = list(transcript_ids[start : start + TRANSCRIPTS_A_QUERY])
        rows = await client.rows(_FLIPS, {"ids": ids, "originals": _ORIGINALS})
        for transcript in _with_repeats(rows):
            flips.setdefault(transcript.transcript_id, []).append(transcript)
    return flips


def _with_repeats(rows: Sequence[Sequence[Any]]) -> Iterable[TranscriptFlips]:
    whole = {tuple(row[:3]) for row in rows if row[3] == ROBUSTNESS}
    repeats = {(*row[:3], row[4]): (row[8], row[9]) for row in rows if row[3] == ROBUSTNESS}
    for transcript_id, content, system_id, row, epoch, provider, model, completed_at, flips, comparisons in rows:
        if row == ROBUSTNESS or not comparisons or (transcript_id, content, system_id) not in whole:
            continue
        repeat_flips, repeat_comparisons = repeats.get((transcript_id, content, system_id, epoch), (0, 0))
        yield TranscriptFlips(
            provider=provider,
            model=model,
            system_id=system_id,
            epoch=epoch,
            row=row,
            transcript_id=transcript_id,
            completed_at=completed_at or EPOCH_ZERO,
            flips=flips,
            comparisons=comparisons,
            repeat_flips=repeat_flips,
            repeat_comparisons=repeat_comparisons,
        )
