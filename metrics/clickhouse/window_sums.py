"""Sums by transcript over a window, from the store: exact, deduplicated, each model's current epoch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from metrics.clickhouse.client import StoreClient
from metrics.figures.clusters import ScoreName
from metrics.live.favoured import AttributeSums
from metrics.live.window import TranscriptSums
from perturbations.rows import ROWS

_ORIGINALS = [(name, row.original_attribute) for name, row in ROWS.items() if row.original_attribute is not None]

# `Row.is_like_placebos`: in a row without the original any pair has its own first arm.
_IS_LIKE = (
    f"has([toString(arm_a), toString(arm_b)], transform(toString(row), {[name for name, _ in _ORIGINALS]}, "
    f"{[original for _, original in _ORIGINALS]}, toString(arm_a)))"
)

_SUMS = (
    """
WITH current AS (
    SELECT model, argMax(epoch, (evaluated_at, epoch)) AS epoch FROM pairs FINAL
    WHERE evaluated_at IS NOT NULL GROUP BY model
)
SELECT
    row, model, epoch, kind, transcript_id,
    toInt64(sum(flips)), toInt64(sum(comparisons)),
    toInt64(sumIf(flips, IS_LIKE)), toInt64(sumIf(comparisons, IS_LIKE)),
    sum(confidence_absolute_difference_sum), toInt64(sum(confidence_count)),
    ifNull(sum(abs(positive_difference)), 0), toInt64(count(positive_difference)),
    ifNull(sum(abs(improvement_difference)), 0), toInt64(count(improvement_difference))
FROM pairs FINAL
WHERE kind IN ('attribute', 'repeat', 'placebo') AND (model, epoch) IN current
  AND occurred_at >= {since:DateTime64(6, 'UTC')} AND occurred_at < {until:DateTime64(6, 'UTC')}
GROUP BY row, model, epoch, kind, transcript_id
ORDER BY row, model, epoch, kind, transcript_id
"""
).replace("IS_LIKE", _IS_LIKE)


_ATTRIBUTES = """
WITH current AS (
    SELECT model, argMax(epoch, (evaluated_at, epoch)) AS epoch FROM pairs FINAL
    WHERE evaluated_at IS NOT NULL GROUP BY model
)
SELECT row, model, epoch, kind, side.1 AS attribute, transcript_id, toInt64(sum(side.2)), toInt64(sum(side.3)),
    toInt64(sum(comparisons))
FROM pairs FINAL
ARRAY JOIN arraySlice(
    [(toString(arm_b), no_to_yes, yes_to_no), (toString(arm_a), yes_to_no, no_to_yes)], 1, if(kind = 'placebo', 1, 2)
) AS side
WHERE kind IN ('attribute', 'placebo') AND (model, epoch) IN current
  AND occurred_at >= {since:DateTime64(6, 'UTC')} AND occurred_at < {until:DateTime64(6, 'UTC')}
GROUP BY row, model, epoch, kind, attribute, transcript_id
ORDER BY row, model, epoch, kind, attribute, transcript_id
"""


async def attribute_sums(client: StoreClient, since: datetime, until: datetime) -> list[AttributeSums]:
    """Each attribute's comparisons with the others of its row, and its placebo's with itself, by transcript.

    Of transcripts with since <= occurred_at < until.
    """
    rows = await client.rows(_ATTRIBUTES, {"since": since.astimezone(UTC), "until": until.astimezone(UTC)})
    return [AttributeSums(*row) for row in rows]


async def transcript_sums(client: StoreClient, since: datetime, until: datetime) -> list[TranscriptSums]:
    """Sums of eq. 3's and 4's pairs, the repeats' and the placebos' by row, model, kind and transcript.

    Of transcripts with since <= occurred_at < until.
    """
    rows = await client.rows(_SUMS, {"since": since.astimezone(UTC), "until": until.astimezone(UTC)})
    return [TranscriptSums(*(*row[:9], _scores(row[9:]))) for row in rows]


def _scores(columns: Sequence[Any]) -> dict[ScoreName, tuple[float, int]]:
    confidence, of_confidence, positive, of_positive, improvement, of_improvement = columns
    return {
        "confidence": (confidence, of_confidence),
        "positive": (positive, of_positive),
        "improvement": (improvement, of_improvement),
    }


async def current_epochs(client: StoreClient) -> list[tuple[str, str, str, str]]:
    """(model, epoch, system_id, served model) of each model's current epoch."""
    rows = await client.rows(
        "SELECT model, argMax((epoch, system_id, ifNull(served_model, '')), (evaluated_at, epoch)) FROM pairs FINAL "
        "WHERE evaluated_at IS NOT NULL GROUP BY model ORDER BY model"
    )
    return [(model, epoch, system_id, served) for model, (epoch, system_id, served) in rows]
