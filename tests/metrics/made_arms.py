"""Transcripts with all their arms and an evaluation of each, as a stream would have stored them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from evaluators.evaluation import Evaluation, Judge
from metrics.clickhouse.client import StoreClient
from metrics.clickhouse.stored_records import write_evaluations, write_pairs, write_variants
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import pair_evaluations
from perturbations.arms import is_judged
from perturbations.records.transcript import Transcript
from perturbations.records.variant import VariantMessage
from perturbations.rows import ORIGINAL, ROBUSTNESS
from tests.builders import at, make_answers
from tests.variants import make_arms

START = at("2026-11-30T12:00:00Z")

Letters = Callable[[str, str, int], str]
"""The answers as letters, from row, attribute and repeat."""


def arms_of(transcripts: Iterable[Transcript], rows: Sequence[str], **options: Any) -> list[VariantMessage]:
    """Every arm of each transcript, received in their order."""
    return [
        message
        for n, transcript in enumerate(transcripts)
        for message in make_arms(
            transcript, rows=rows, seed=7, repeats=2, received_at=START + timedelta(seconds=n), **options
        )
    ]


def judged(messages: Iterable[VariantMessage], letters: Letters, **fields: Any) -> list[Evaluation]:
    """An evaluation of each arm that a judge would be asked about, one a second."""
    made = []
    for n, message in enumerate(m for m in messages if is_judged(m)):
        variant = message.variant
        row, attribute = (ROBUSTNESS, ORIGINAL) if variant.status == "original" else (variant.row, variant.attribute)
        defaults: dict[str, Any] = {
            "draw": variant.draw,
            "system_id": "s",
            "epoch": "e",
            "judge": Judge(provider="p", model="m"),
            "outcome": "ok",
            "evaluated_at": (message.received_at or START) + timedelta(milliseconds=n),
        }
        made.append(
            Evaluation(
                transcript_id=variant.transcript_id,
                transcript_hash=message.transcript_hash,
                received_at=message.received_at,
                occurred_at=message.occurred_at,
                row=row,
                attribute=attribute,
                repeat=message.repeat,
                answers=make_answers(letters(row, attribute, message.repeat)),
                **(defaults | fields),
            ).with_ids()
        )
    return made


async def stored(
    client: StoreClient, messages: Sequence[VariantMessage], evaluations: Sequence[Evaluation], *, pairs: bool = True
) -> None:
    """Write them, and the pairs that they make."""
    await write_variants(client, messages)
    await write_evaluations(client, evaluations)
    if pairs:
        await write_pairs(client, pair_evaluations(deduplicate(evaluations).evaluations))


def moment(evaluations: Iterable[Evaluation], transcript_id: str, row: str) -> datetime:
    """When the last arm of a row was evaluated, the original's where that is one."""
    return max(e.evaluated_at or START for e in evaluations if e.transcript_id == transcript_id and e.row == row)
