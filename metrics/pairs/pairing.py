"""Evaluations into pairs: one pure function, used by the stream and by a measurement alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from evaluators.evaluation import Answer, Evaluation
from metrics.pairs.dedup import EPOCH_ZERO, deduplicate, older_versions, precedes
from metrics.pairs.pair import Kind, Pair
from perturbations.planning.anchors import is_anchor_repeat
from perturbations.records.hashing import digest
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS, Row

_Slot = tuple[str, str, int, int]
"""Row, attribute, draw, repeat."""

_ORIGINAL_SLOT: _Slot = (ROBUSTNESS, ORIGINAL, 0, 0)


@dataclass(frozen=True)
class _Place:
    """Where a pair stands: its row and the two arms with their repeats."""

    row: str
    arm_a: str
    arm_b: str
    kind: Kind
    repeat_a: int = 0
    repeat_b: int = 0


def pair_evaluations(evaluations: Iterable[Evaluation]) -> list[Pair]:
    """Every pair that these evaluations make, in a fixed order.

    Expects what `deduplicate` leaves. Only `ok` arms of one transcript content, system and epoch are paired:
    every two attributes of a row, the original with each attribute where it is none of them, an attribute's two
    draws (placebo), and every two repeats of the original. An attribute that is the original is served by the
    original's own evaluation (`robustness`, repeat 0) or, in a file without one, by the row's. Arms for which
    `arm_fault` gives a reason make no pair.
    """
    pairs: list[Pair] = []
    groups = _grouped(evaluations)
    for key in sorted(groups):
        arms = groups[key]
        for row in ROWS.values():
            pairs += [_pair(place, a, b) for place, a, b in _row_pairs(row, arms)]
        pairs += [_pair(place, a, b) for place, a, b in _repeat_pairs(arms)]
    return pairs


def superseded_pairs(evaluations: Iterable[Evaluation]) -> list[Pair]:
    """Pairs of older contents of these transcripts that have no successor.

    A newer content's pair replaces the older one under the same pair_id by its version; what the newer content
    doesn't give (an arm that no longer applies, a judge that refuses now) stays behind and has to be deleted.
    Each pair_id comes once. Takes evaluations of all contents, deduplicated or not.
    """
    held = list(evaluations)
    current = {pair.pair_id for pair in pair_evaluations(deduplicate(held).evaluations)}
    left: dict[str, Pair] = {}
    for pair in pair_evaluations(older_versions(held)):
        if pair.pair_id not in current and (pair.pair_id not in left or left[pair.pair_id].version < pair.version):
            left[pair.pair_id] = pair
    return list(left.values())


ANCHOR = "anchor"
"""Why an anchor's evaluation is no arm of any row."""


def is_anchor(evaluation: Evaluation) -> bool:
    """Whether this is a round of an anchor: judged to watch the judge, in no figure."""
    return evaluation.row == ROBUSTNESS and is_anchor_repeat(evaluation.repeat)


def arm_fault(evaluation: Evaluation) -> str | None:
    """Why this evaluation is no arm of any row: one of a few fixed words, or None where it is one."""
    if is_anchor(evaluation):
        return ANCHOR
    if evaluation.row == ROBUSTNESS:
        known = evaluation.attribute == ORIGINAL and evaluation.draw == 0
        return None if known else "unknown_attribute"
    if evaluation.row not in ROWS:
        return "unknown_row"
    if evaluation.attribute not in ROWS[evaluation.row].attributes:
        return "unknown_attribute"
    if evaluation.draw > 1 or evaluation.repeat > 0:
        return "unknown_repeat"
    return None


def _grouped(evaluations: Iterable[Evaluation]) -> dict[tuple[str, str, str, str], dict[_Slot, Evaluation]]:
    groups: dict[tuple[str, str, str, str], dict[_Slot, Evaluation]] = {}
    for e in evaluations:
        if e.outcome != "ok" or arm_fault(e) is not None:
            continue
        arms = groups.setdefault((e.transcript_id, e.transcript_hash, e.system_id, e.epoch), {})
        slot = (e.row, e.attribute, e.draw, e.repeat)
        held = arms.get(slot)
        if held is None or (held != e and precedes(e, held)):
            arms[slot] = e
    return groups


def _row_pairs(row: Row, arms: Mapping[_Slot, Evaluation]) -> Iterator[tuple[_Place, Evaluation, Evaluation]]:
    original = arms.get(_ORIGINAL_SLOT)
    held: dict[str, Evaluation] = {}
    for attribute in row.attributes:
        arm = arms.get((row.name, attribute, 0, 0))
        if row.is_original(attribute):
            arm = original or arm
        if arm is not None:
            held[attribute] = arm
    for a, b in row.attribute_pairs():
        if a in held and b in held:
            yield _Place(row.name, a, b, "attribute"), held[a], held[b]
    if row.original_attribute is None and original is not None:
        for attribute, arm in held.items():
            yield _Place(row.name, ORIGINAL, attribute, "original"), original, arm
    for attribute in row.attributes:
        placebo = arms.get((row.name, attribute, 1, 0))
        if attribute in held and placebo is not None:
            yield _Place(row.name, attribute, attribute, "placebo"), held[attribute], placebo


def _repeat_pairs(arms: Mapping[_Slot, Evaluation]) -> Iterator[tuple[_Place, Evaluation, Evaluation]]:
    repeats = sorted((slot[3], arm) for slot, arm in arms.items() if slot[0] == ROBUSTNESS)
    for (i, a), (j, b) in combinations(repeats, 2):
        yield _Place(ROBUSTNESS, ORIGINAL, ORIGINAL, "repeat", i, j), a, b


def _answers(evaluation: Evaluation) -> dict[str, Answer]:
    # A question answered twice in one evaluation has no answer that could be told from the other.
    seen: set[str] = set()
    answers: dict[str, Answer] = {}
    for answer in evaluation.answers:
        if answer.question_id in seen:
            answers.pop(answer.question_id, None)
            continue
        seen.add(answer.question_id)
        if answer.outcome == "ok" and answer.answer is not None:
            answers[answer.question_id] = answer
    return answers


def _pair(place: _Place, a: Evaluation, b: Evaluation) -> Pair:
    answers_a, answers_b = _answers(a), _answers(b)
    questions = tuple(sorted(answers_a.keys() & answers_b.keys()))
    both = [(answers_a[q], answers_b[q]) for q in questions]
    verdicts = [(x.answer, y.answer) for x, y in both]
    differences = [_difference(x.confidence, y.confidence) for x, y in both]
    compared = ["na" not in verdict for verdict in verdicts]
    counted = [d for d, c in zip(differences, compared, strict=True) if c and d is not None]
    yes_to_no = verdicts.count(("yes", "no"))
    no_to_yes = verdicts.count(("no", "yes"))
    return Pair.model_validate(
        {
            "pair_id": _pair_id(place, a),
            "evaluation_a": a.with_ids().evaluation_id,
            "evaluation_b": b.with_ids().evaluation_id,
            "transcript_id": a.transcript_id,
            "transcript_hash": a.transcript_hash,
            "received_at": _later(a.received_at, b.received_at),
            "row": place.row,
            "arm_a": place.arm_a,
            "arm_b": place.arm_b,
            "repeat_a": place.repeat_a,
            "repeat_b": place.repeat_b,
            "kind": place.kind,
            "judge": a.judge,
            "system_id": a.system_id,
            "epoch": a.epoch,
            "occurred_at": a.occurred_at,
            "evaluated_at": _later(a.evaluated_at, b.evaluated_at),
            "domain": a.domain,
            "channel": a.channel,
            "language": a.language,
            "labels": a.labels,
            "comparisons": sum(compared),
            "flips": yes_to_no + no_to_yes,
            "yes_to_no": yes_to_no,
            "no_to_yes": no_to_yes,
            "na_changes": len(compared) - sum(compared),
            "confidence_difference_sum": math.fsum(counted),
            "confidence_absolute_difference_sum": math.fsum(abs(d) for d in counted),
            "confidence_count": len(counted),
            "positive_difference": _difference(a.positive_score, b.positive_score),
            "improvement_difference": _difference(a.improvement_score, b.improvement_score),
            "question_ids": questions,
            "answers_a": tuple(x for x, _ in verdicts),
            "answers_b": tuple(y for _, y in verdicts),
            "confidence_differences": tuple(differences),
            "construct_relevant": tuple(
                place.row in x.construct_relevant or place.row in y.construct_relevant for x, y in both
            ),
            "version": _version(a, b),
        }
    )


def _pair_id(place: _Place, a: Evaluation) -> str:
    arms = (place.row, place.arm_a, place.arm_b, place.kind, place.repeat_a, place.repeat_b)
    return digest("pair", a.transcript_id, *arms, a.system_id, a.epoch)


def _version(a: Evaluation, b: Evaluation) -> int:
    # A newer content of the transcript wins; among equal ones the evaluations that were made first.
    received = _later(a.received_at, b.received_at)
    evaluated = _units(a.evaluated_at, timedelta(microseconds=1)) + _units(b.evaluated_at, timedelta(microseconds=1))
    return _units(received, timedelta(milliseconds=1)) << 64 | (2**64 - 1 - evaluated)


def _units(moment: datetime | None, unit: timedelta) -> int:
    return 0 if moment is None else (moment - EPOCH_ZERO) // unit


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    if one is None or other is None:
        return one or other
    return max(one, other)


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else b - a
