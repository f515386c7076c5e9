"""Records as rows of the store's tables, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from evaluators.evaluation import Evaluation
from metrics.pairs.dedup import EPOCH_ZERO
from metrics.pairs.pair import Pair
from perturbations.records.variant import VariantMessage

Record = TypeVar("Record")

_TWO_TO_64 = 2**64
_LARGEST = {"UInt32": 2**32 - 1, "Int64": 2**63 - 1, "UInt128": 2**128 - 1}
_SMALLEST = {"UInt32": 0, "Int64": -(2**63), "UInt128": 0}


class Unfit(ValueError):
    """A record that the store's columns can't hold; says which part, never its value."""


@dataclass(frozen=True)
class StoredTable(Generic[Record]):
    """A table's name, its columns in order, and how a record becomes a row. `row` raises Unfit."""

    name: str
    columns: tuple[str, ...]
    row: Callable[[Record], Sequence[Any]]


def evaluations_table(*, keep_text: bool = False) -> StoredTable[Evaluation]:
    """Evaluations; the judge's own words (the coaching note) only where `keep_text`."""
    return StoredTable("evaluations", _EVALUATION_COLUMNS, lambda evaluation: _evaluation_row(evaluation, keep_text))


def pairs_table(*, deleted: bool = False) -> StoredTable[Pair]:
    """Pairs that count, or that no longer do."""
    return StoredTable("pairs", (*PAIR_COLUMNS, "is_deleted"), lambda pair: (*_pair_row(pair, deleted), int(deleted)))


def variants_table() -> StoredTable[VariantMessage]:
    """What became of each arm: its status, not its text."""
    return StoredTable("variants", _VARIANT_COLUMNS, _variant_row)


def evaluation_version(evaluation: Evaluation) -> int:
    """Larger for what counts first: the smallest (evaluated_at, content hash), an unknown time last."""
    time_part = 0 if evaluation.evaluated_at is None else _TWO_TO_64 - 1 - _micros(evaluation.evaluated_at)
    return time_part * _TWO_TO_64 + (_TWO_TO_64 - 1 - int(evaluation.content_hash()[:16], 16))


def pair_of(row: Sequence[Any]) -> Pair:
    """The pair of a row of `PAIR_COLUMNS`."""
    data = dict(zip(PAIR_COLUMNS, row, strict=True))
    data["judge"] = {name: data.pop(name) for name in ("provider", "model", "served_model")}
    data["labels"] = json.loads(data["labels"])
    data["version"] = data.pop("rank") // 2
    return Pair.model_validate(data)


_EVALUATION_COLUMNS = (
    "evaluation_id", "transcript_id", "transcript_hash", "received_at", "row", "attribute", "draw", "repeat",
    "system_id", "provider", "model", "served_model", "epoch", "occurred_at", "evaluated_at", "outcome",
    "question_ids", "answers", "confidences", "positive_score", "improvement_score", "domain", "channel", "language",
    "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "latency_seconds", "attempts",
    "record", "version",
)  # fmt: skip

PAIR_COLUMNS = (
    "pair_id", "evaluation_a", "evaluation_b", "transcript_id", "transcript_hash", "received_at", "row",
    "arm_a", "arm_b", "repeat_a", "repeat_b", "kind", "provider", "model", "served_model", "system_id", "epoch",
    "occurred_at", "evaluated_at", "domain", "channel", "language", "labels",
    "comparisons", "flips", "yes_to_no", "no_to_yes", "na_changes",
    "confidence_difference_sum", "confidence_absolute_difference_sum", "confidence_count",
    "positive_difference", "improvement_difference",
    "question_ids", "answers_a", "answers_b", "confidence_differences", "construct_relevant", "rank",
)  # fmt: skip
"""Every column of a pair that counts, in the order of `pair_of`."""

_VARIANT_COLUMNS = (
    "transcript_id", "row", "attribute", "draw", "transcript_hash", "received_at", "occurred_at", "status", "reason",
    "retries", "validator", "edits", "repeats", "judge", "version",
)  # fmt: skip


def _evaluation_row(evaluation: Evaluation, keep_text: bool) -> Sequence[Any]:
    e = evaluation.with_ids()
    usage = e.usage
    record = _json(e if keep_text else e.without_notes())
    return (
        e.evaluation_id, e.transcript_id, e.transcript_hash, e.received_at, e.row, e.attribute,
        _fit("UInt32", "draw", e.draw), _fit("UInt32", "repeat", e.repeat),
        e.system_id, e.judge.provider, e.judge.model, e.judge.served_model, e.epoch, e.occurred_at, e.evaluated_at,
        e.outcome, [a.question_id for a in e.answers], [a.answer for a in e.answers],
        [a.confidence for a in e.answers], e.positive_score, e.improvement_score, e.domain, e.channel, e.language,
        _fit("Int64", "input_tokens", usage.input_tokens), _fit("Int64", "cached_tokens", usage.cached_tokens),
        _fit("Int64", "output_tokens", usage.output_tokens),
        _fit("Int64", "reasoning_tokens", usage.reasoning_tokens),
        e.latency_seconds, _fit("Int64", "attempts", e.attempts), record, evaluation_version(e),
    )  # fmt: skip


def _pair_row(pair: Pair, deleted: bool) -> Sequence[Any]:
    _json(pair)  # the driver would trip over text that isn't Unicode later, in the middle of a block
    p = pair
    return (
        p.pair_id, p.evaluation_a, p.evaluation_b, p.transcript_id, p.transcript_hash, p.received_at, p.row,
        p.arm_a, p.arm_b, _fit("UInt32", "repeat_a", p.repeat_a), _fit("UInt32", "repeat_b", p.repeat_b), p.kind,
        p.judge.provider, p.judge.model, p.judge.served_model, p.system_id, p.epoch,
        p.occurred_at, p.evaluated_at, p.domain, p.channel, p.language,
        json.dumps(p.labels, ensure_ascii=True, sort_keys=True),
        _fit("UInt32", "comparisons", p.comparisons), _fit("UInt32", "flips", p.flips),
        _fit("UInt32", "yes_to_no", p.yes_to_no), _fit("UInt32", "no_to_yes", p.no_to_yes),
        _fit("UInt32", "na_changes", p.na_changes),
        p.confidence_difference_sum, p.confidence_absolute_difference_sum,
        _fit("UInt32", "confidence_count", p.confidence_count), p.positive_difference, p.improvement_difference,
        p.question_ids, p.answers_a, p.answers_b, p.confidence_differences, p.construct_relevant,
        2 * _fit("UInt128", "version", p.version) + int(deleted),
    )  # fmt: skip


def _variant_row(message: VariantMessage) -> Sequence[Any]:
    v = message.variant
    received = 0 if message.received_at is None else _micros(message.received_at)
    repeats = message.repeat + 1 if v.status in ("accepted", "original") else 0
    # Of several versions of a transcript the latest counts, of several repeats of an arm the last.
    version = received * _TWO_TO_64 + _fit("UInt32", "repeat", repeats)
    row = (
        v.transcript_id, v.row, v.attribute, _fit("UInt32", "draw", v.draw), message.transcript_hash,
        message.received_at, message.occurred_at, v.status, v.reason, _fit("UInt32", "retries", v.retries),
        v.validator, len(v.edits), repeats, message.judge, version,
    )  # fmt: skip
    for value in row:
        if isinstance(value, str):
            _unicode(value)
    return row


def _micros(moment: datetime) -> int:
    return (moment - EPOCH_ZERO) // timedelta(microseconds=1)


def _fit(kind: str, name: str, value: int | None) -> Any:
    if value is not None and not _SMALLEST[kind] <= value <= _LARGEST[kind]:
        raise Unfit(f"{name} is outside what {kind} holds")
    return value


def _json(record: Evaluation | Pair) -> str:
    try:
        return _unicode(record.model_dump_json())
    except ValueError:
        raise Unfit("the record can't be written as JSON: a text in it is no Unicode") from None


def _unicode(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Unfit("a text in the record is no Unicode: it holds half a surrogate pair") from None
    return text
