"""What is written to the store and read back: evaluations, pairs, the fate of variants.

Everything is read deduplicated (FINAL), so a row that was written twice, in one batch or in two, is one row.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

from evaluators.evaluation import Evaluation
from metrics.clickhouse.client import StoreClient
from metrics.clickhouse.errors import BadRow
from metrics.clickhouse.insert import insert_records
from metrics.clickhouse.rows import PAIR_COLUMNS, evaluations_table, pair_of, pairs_table, variants_table
from metrics.pairs.dedup import EPOCH_ZERO
from metrics.pairs.pair import Pair
from perturbations.planning.anchors import FIRST_ROUND, ID_PREFIX
from perturbations.records.variant import VariantMessage

PAGE_ROWS = 5_000
_IDS_A_QUERY = 1_000


async def write_evaluations(
    client: StoreClient, evaluations: Sequence[Evaluation], *, keep_text: bool = False
) -> list[BadRow]:
    """Store evaluations; gives those that can't be stored. `keep_text` keeps the judge's coaching note.

    Raises StoreUnavailable for an outage, as every function here does.
    """
    return await insert_records(client, evaluations_table(keep_text=keep_text), evaluations)


async def write_pairs(client: StoreClient, pairs: Sequence[Pair], *, deleted: bool = False) -> list[BadRow]:
    """Store pairs, or that they no longer count; gives those that can't be stored."""
    return await insert_records(client, pairs_table(deleted=deleted), pairs)


async def write_variants(client: StoreClient, messages: Sequence[VariantMessage]) -> list[BadRow]:
    """Store what became of each arm; gives those that can't be stored."""
    return await insert_records(client, variants_table(), messages)


async def evaluations_of(client: StoreClient, transcript_ids: Sequence[str]) -> list[Evaluation]:
    """Every evaluation of these transcripts, each id once, ordered by transcript and id."""
    evaluations: list[Evaluation] = []
    wanted = sorted(set(transcript_ids))
    for start in range(0, len(wanted), _IDS_A_QUERY):
        rows = await client.rows(
            "SELECT record FROM evaluations FINAL WHERE transcript_id IN {ids:Array(String)} "
            "ORDER BY transcript_id, evaluation_id",
            {"ids": wanted[start : start + _IDS_A_QUERY]},
        )
        evaluations += [Evaluation.model_validate_json(record) for (record,) in rows]
    return evaluations


async def anchor_evaluations(client: StoreClient) -> list[Evaluation]:
    """Every round of every anchor, each id once, ordered by transcript and id."""
    rows = await client.rows(
        "SELECT record FROM evaluations FINAL WHERE startsWith(transcript_id, {prefix:String}) "
        "AND repeat >= {first_round:UInt32} ORDER BY transcript_id, evaluation_id",
        {"prefix": ID_PREFIX, "first_round": FIRST_ROUND},
    )
    return [Evaluation.model_validate_json(record) for (record,) in rows]


async def all_evaluations(client: StoreClient, *, page_rows: int = PAGE_ROWS) -> AsyncIterator[Evaluation]:
    """Every evaluation in the store, each id once, ordered by transcript and id; read page by page."""
    last = ("", "")
    while True:
        rows = await client.rows(
            "SELECT transcript_id, evaluation_id, record FROM evaluations FINAL "
            "WHERE transcript_id >= {transcript:String} "
            "AND (transcript_id, evaluation_id) > ({transcript:String}, {evaluation:String}) "
            "ORDER BY transcript_id, evaluation_id LIMIT {rows:UInt32}",
            {"transcript": last[0], "evaluation": last[1], "rows": page_rows},
        )
        for *_, record in rows:
            yield Evaluation.model_validate_json(record)
        if len(rows) < page_rows:
            return
        last = (rows[-1][0], rows[-1][1])


async def pairs_in_window(
    client: StoreClient, since: datetime | None = None, until: datetime | None = None
) -> list[Pair]:
    """Every pair that counts with since <= occurred_at < until; all of them, also without a time, by default."""
    condition = "1"
    if since is not None or until is not None:
        condition = "occurred_at >= {since:DateTime64(6, 'UTC')} AND occurred_at < {until:DateTime64(6, 'UTC')}"
    rows = await client.rows(
        f"SELECT {', '.join(PAIR_COLUMNS)} FROM pairs FINAL WHERE {condition} ORDER BY row, transcript_id, pair_id",
        {
            "since": _utc(since or EPOCH_ZERO),
            "until": _utc(until or datetime(2200, 1, 1, tzinfo=UTC)),
        },
    )
    return [pair_of(row) for row in rows]


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
