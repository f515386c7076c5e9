"""Which evaluations count, where one was made twice or its transcript came in several versions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, datetime
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from evaluators.evaluation import Evaluation

ContentKey = TypeVar("ContentKey", bound=Hashable)

EPOCH_ZERO = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for a time that isn't known where times are put in order."""


class Deduplicated(BaseModel):
    """The evaluations that count, in a fixed order, and what was left out.

    `superseded_evaluations` counts contents that lost to another content of the same evaluation; exact copies are
    no contents of their own. `transcripts_with_several_versions` lists, sorted, the transcripts of which one system
    judged several contents.
    """

    model_config = ConfigDict(frozen=True)

    evaluations: tuple[Evaluation, ...]
    superseded_evaluations: int
    transcripts_with_several_versions: tuple[str, ...]


def deduplicate(evaluations: Iterable[Evaluation]) -> Deduplicated:
    """Each evaluation once, and of each transcript the latest content only.

    Absent ids are filled. Of several contents under one evaluation_id, and of several ids for one arm of one
    system, the smallest (`evaluated_at`, content hash) counts; an unknown `evaluated_at` comes last. Then, of
    several contents of one transcript within a system, the largest (`received_at`, transcript hash) counts; an
    unknown `received_at` comes first. Order, copies and splits of the input make no difference.
    """
    distinct, superseded = _first_contents(evaluations)
    latest, several = _latest_versions(distinct)
    return Deduplicated.model_construct(
        evaluations=tuple(sorted((e for e in distinct if _version(e) == latest[_transcript(e)]), key=_order)),
        superseded_evaluations=superseded,
        transcripts_with_several_versions=several,
    )


def older_versions(evaluations: Iterable[Evaluation]) -> list[Evaluation]:
    """Each evaluation of a content that a later one of the same transcript and system replaced, once."""
    distinct, _ = _first_contents(evaluations)
    latest, _ = _latest_versions(distinct)
    return sorted((e for e in distinct if _version(e) != latest[_transcript(e)]), key=_order)


def precedes(evaluation: Evaluation, rival: Evaluation) -> bool:
    """Whether `evaluation` counts before `rival`, where both are contents of one evaluation."""
    return _precedence(evaluation) < _precedence(rival)


def _precedence(e: Evaluation) -> tuple[bool, datetime, str]:
    return (e.evaluated_at is None, e.evaluated_at or EPOCH_ZERO, e.content_hash())


def _first_contents(evaluations: Iterable[Evaluation]) -> tuple[list[Evaluation], int]:
    by_id, lost_by_id = _first((e.with_ids() for e in evaluations), lambda e: e.evaluation_id)
    by_arm, lost_by_arm = _first(by_id, _arm)
    return by_arm, lost_by_id + lost_by_arm


def _first(
    evaluations: Iterable[Evaluation], key: Callable[[Evaluation], ContentKey]
) -> tuple[list[Evaluation], int]:
    first: dict[ContentKey, Evaluation] = {}
    contents: dict[ContentKey, set[str]] = {}
    for evaluation in evaluations:
        k = key(evaluation)
        rival = first.setdefault(k, evaluation)
        if rival == evaluation:
            continue
        # Hashing costs more than comparing: only where contents really differ.
        contents.setdefault(k, {rival.content_hash()}).add(evaluation.content_hash())
        if precedes(evaluation, rival):
            first[k] = evaluation
    return list(first.values()), sum(len(hashes) - 1 for hashes in contents.values())


def _latest_versions(
    evaluations: list[Evaluation],
) -> tuple[dict[tuple[str, str], str], tuple[str, ...]]:
    latest: dict[tuple[str, str], tuple[datetime, str]] = {}
    several: set[str] = set()
    for evaluation in evaluations:
        key = _transcript(evaluation)
        version = (evaluation.received_at or EPOCH_ZERO, evaluation.transcript_hash)
        latest_yet = latest.setdefault(key, version)
        if latest_yet[1] != version[1]:
            several.add(evaluation.transcript_id)
        latest[key] = max(latest_yet, version)
    return {key: version[1] for key, version in latest.items()}, tuple(sorted(several))


def _transcript(e: Evaluation) -> tuple[str, str]:
    return (e.transcript_id, e.system_id)


def _version(e: Evaluation) -> str:
    return e.transcript_hash


def _arm(e: Evaluation) -> tuple[str, str, str, str, str, int, int]:
    return (e.transcript_id, e.transcript_hash, e.system_id, e.row, e.attribute, e.draw, e.repeat)


def _order(e: Evaluation) -> tuple[str, str, str, str, int, int, str]:
    return (e.transcript_id, e.system_id, e.row, e.attribute, e.draw, e.repeat, e.epoch)
