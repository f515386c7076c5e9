"""What a store holds, counted: arms by status, evaluations by outcome."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.clickhouse.client import StoreClient


@dataclass(frozen=True)
class VariantCount:
    """How many arms of a row have a status, and how many evaluations are expected of them."""

    row: str
    status: str
    reason: str | None
    variants: int
    retried: int
    evaluations_expected: int


@dataclass(frozen=True)
class EvaluationCount:
    """How many evaluations of a row have an outcome."""

    row: str
    outcome: str
    evaluations: int


async def variants_summary(client: StoreClient) -> list[VariantCount]:
    """Arms by row, status and reason: what was accepted, retried, rejected or didn't apply."""
    rows = await client.rows(
        "SELECT row, status, reason, toInt64(count()), toInt64(countIf(retries > 0)), "
        # The original that serves a row is evaluated once, under the baseline.
        "toInt64(sumIf(repeats, status = 'accepted' OR row = 'robustness')) "
        "FROM variants FINAL GROUP BY row, status, reason ORDER BY row, status, reason"
    )
    return [VariantCount(*row) for row in rows]


async def evaluations_summary(client: StoreClient) -> list[EvaluationCount]:
    """Evaluations by row and outcome."""
    rows = await client.rows(
        "SELECT row, outcome, toInt64(count()) FROM evaluations FINAL GROUP BY row, outcome ORDER BY row, outcome"
    )
    return [EvaluationCount(*row) for row in rows]
