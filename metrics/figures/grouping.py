"""A measurement by parts of the traffic: domain, channel, language, judge, or a label."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from evaluators.evaluation import Evaluation
from metrics.errors import MeasureError
from metrics.figures.form_marking import EQUAL_WEIGHTS, FormMarking
from metrics.figures.measure import measure
from metrics.figures.measurement import Measurement
from metrics.figures.thresholds import DEFAULT, Thresholds
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import arm_fault
from metrics.pairs.systems import by_system, choose_system

FIELDS = ("domain", "channel", "language", "judge")
LABEL = "label:"

UNKNOWN = ""
"""The group of evaluations that don't say."""


def measure_by(
    evaluations: Iterable[Evaluation],
    by: str,
    *,
    system: str | None = None,
    thresholds: Thresholds = DEFAULT,
    marking: FormMarking = EQUAL_WEIGHTS,
    labels: Sequence[str] | None = None,
) -> dict[str, Measurement]:
    """A measurement of each group, sorted by its name; all evaluations of a transcript are in one group.

    `by` is `domain`, `channel`, `language`, `judge` (system and epoch) or `label:KEY`; `labels` are the keys that are
    allowed, all by default, since every value of a key makes a group. p-values are adjusted within a group. Raises
    MeasureError for another `by`, a label that isn't allowed, or a system that isn't in the input.
    """
    _check(by, labels)
    counted = [e for e in deduplicate(evaluations).evaluations if arm_fault(e) is None]
    systems = by_system(counted)
    if system is not None:
        choose_system(systems, system, where="in the input")
        systems = {system: systems[system]}
    groups = systems if by == "judge" else _by_field((e for group in systems.values() for e in group), by)
    return {name: measure(groups[name], thresholds=thresholds, marking=marking) for name in sorted(groups)}


def _check(by: str, labels: Sequence[str] | None) -> None:
    if by.startswith(LABEL) and len(by) > len(LABEL):
        key = by.removeprefix(LABEL)
        if labels is not None and key not in labels:
            raise MeasureError(f"label {key!r} is none of the configured ones: {', '.join(labels) or 'none'}")
    elif by not in FIELDS:
        raise MeasureError(f"can't group by {by!r}: one of {', '.join(FIELDS)}, {LABEL}KEY")


def _by_field(evaluations: Iterable[Evaluation], by: str) -> dict[str, list[Evaluation]]:
    transcripts: dict[tuple[str, str], list[Evaluation]] = {}
    for e in evaluations:
        transcripts.setdefault((e.system_id, e.transcript_id), []).append(e)
    groups: dict[str, list[Evaluation]] = {}
    for transcript in transcripts.values():
        # Arms of one transcript say the same, unless a sender left a field out: the largest that is said.
        groups.setdefault(max(_value(e, by) for e in transcript), []).extend(transcript)
    return groups


def _value(e: Evaluation, by: str) -> str:
    if not by.startswith(LABEL):
        named = {"domain": e.domain, "channel": e.channel, "language": e.language}[by]
        return UNKNOWN if named is None else named
    value = e.labels.get(by.removeprefix(LABEL))
    if value is None:
        return UNKNOWN
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
