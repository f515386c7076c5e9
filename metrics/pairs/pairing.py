"""Evaluations into pairs: one pure function, used by the stream and by a measurement alike."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from evaluators.evaluation import Evaluation
from metrics.pairs.answer_columns import AnswerColumns, answer_columns, answered_by_both
from metrics.pairs.dedup import EPOCH_ZERO, deduplicate, older_versions, precedes
from metrics.pairs.pair import Pair, PairKind
from perturbations.planning.anchors import is_anchor_repeat
from perturbations.records.hashing import digest
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS, Row

_Slot = tuple[str, str, int, int]
"""Row, attribute, draw, repeat."""

_ORIGINAL_SLOT: _Slot = (ROBUSTNESS, ORIGINAL, 0, 0)


@dataclass(frozen=True)
class _ArmPair:
    """What a pair compares: two arms of a row, with their repeats."""

    row: str
    arm_a: str
    arm_b: str
    kind: PairKind
    repeat_a: int = 0
    repeat_b: int = 0


_Matched = tuple[_ArmPair, Evaluation, Evaluation]
"""Two arms and an evaluation of each."""


def pair_evaluations(evaluations: Iterable[Evaluation], *, touching: Collection[str] | None = None) -> list[Pair]:
    """Every pair that these evaluations make, in a fixed order.

    `touching`: only the pairs that an evaluation of one of these ids is in. Expects what `deduplicate` leaves. Only
    `ok` arms of one transcript content, system and epoch are paired: every two attributes of a row, the original
    with each attribute where it is none of them, an attribute's two draws (placebo), and every two repeats of the
    original. An attribute that is the original is served by the original's own evaluation (`robustness`, repeat 0)
    or, in a file without one, by the row's. Arms for which `arm_fault` gives a reason make no pair.
    """
    groups = _by_content(evaluations)
    return [pair for key in sorted(groups) for pair in _content_pairs(groups[key], touching)]


def possible_pairs(evaluations: Iterable[Evaluation]) -> int:
    """How many pairs these evaluations would make if the epochs in which they were made didn't matter."""
    groups: dict[tuple[str, str, str], dict[_Slot, Evaluation]] = {}
    for (transcript_id, transcript_hash, system_id, _), arms in _by_content(evaluations).items():
        groups.setdefault((transcript_id, transcript_hash, system_id), {}).update(arms)
    return sum(1 for arms in groups.values() for _ in _matched(arms))


def superseded_pairs(evaluations: Iterable[Evaluation]) -> list[Pair]:
    """Pairs of older contents of these transcripts that have no successor.

    A newer content's pair replaces the older one under the same pair_id by its version; what the newer content
    doesn't give (an arm that no longer applies, a judge that refuses now) stays behind and has to be deleted.
    Each pair_id comes once. Takes evaluations of all contents, deduplicated or not.
    """
    contents = list(evaluations)
    older = older_versions(contents)
    if not older:
        return []
    current = {pair.pair_id for pair in pair_evaluations(deduplicate(contents).evaluations)}
    left: dict[str, Pair] = {}
    for pair in pair_evaluations(older):
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


def _by_content(evaluations: Iterable[Evaluation]) -> dict[tuple[str, str, str, str], dict[_Slot, Evaluation]]:
    """The arms that can be paired, by transcript, its content, system and epoch."""
    groups: dict[tuple[str, str, str, str], dict[_Slot, Evaluation]] = {}
    for e in evaluations:
        if e.outcome != "ok" or arm_fault(e) is not None:
            continue
        arms = groups.setdefault((e.transcript_id, e.transcript_hash, e.system_id, e.epoch), {})
        slot = (e.row, e.attribute, e.draw, e.repeat)
        rival = arms.get(slot)
        if rival is None or (rival != e and precedes(e, rival)):
            arms[slot] = e
    return groups


def _matched(arms: Mapping[_Slot, Evaluation]) -> Iterator[_Matched]:
    """What there is to compare among the arms of one transcript, in the order of the rows."""
    for row in ROWS.values():
        yield from _row_pairs(row, arms)
    yield from _repeat_pairs(arms)


def _row_pairs(row: Row, arms: Mapping[_Slot, Evaluation]) -> Iterator[_Matched]:
    original = arms.get(_ORIGINAL_SLOT)
    by_attribute: dict[str, Evaluation] = {}
    for attribute in row.attributes:
        arm = arms.get((row.name, attribute, 0, 0))
        if row.is_original(attribute):
            arm = original or arm
        if arm is not None:
            by_attribute[attribute] = arm
    for a, b in row.attribute_pairs():
        if a in by_attribute and b in by_attribute:
            yield _ArmPair(row.name, a, b, "attribute"), by_attribute[a], by_attribute[b]
    if row.original_attribute is None and original is not None:
        for attribute, arm in by_attribute.items():
            yield _ArmPair(row.name, ORIGINAL, attribute, "original"), original, arm
    for attribute in row.attributes:
        placebo = arms.get((row.name, attribute, 1, 0))
        if attribute in by_attribute and placebo is not None:
            yield _ArmPair(row.name, attribute, attribute, "placebo"), by_attribute[attribute], placebo


def _repeat_pairs(arms: Mapping[_Slot, Evaluation]) -> Iterator[_Matched]:
    repeats = sorted((slot[3], arm) for slot, arm in arms.items() if slot[0] == ROBUSTNESS)
    for (i, a), (j, b) in combinations(repeats, 2):
        yield _ArmPair(ROBUSTNESS, ORIGINAL, ORIGINAL, "repeat", i, j), a, b


def _content_pairs(arms: Mapping[_Slot, Evaluation], touching: Collection[str] | None) -> Iterator[Pair]:
    """The pairs of one transcript's arms; an evaluation is in several of them, its answers are read once."""
    columns: dict[int, AnswerColumns] = {}

    def columns_of(evaluation: Evaluation) -> AnswerColumns:
        if id(evaluation) not in columns:
            columns[id(evaluation)] = answer_columns(evaluation)
        return columns[id(evaluation)]

    for arm_pair, a, b in _matched(arms):
        if touching is None or a.known_id in touching or b.known_id in touching:
            yield _pair(arm_pair, a, b, columns_of(a), columns_of(b))


def _pair(arms: _ArmPair, a: Evaluation, b: Evaluation, columns_a: AnswerColumns, columns_b: AnswerColumns) -> Pair:
    answers_a, answers_b = answered_by_both(columns_a, columns_b)
    both = Counter(zip(answers_a.verdicts, answers_b.verdicts, strict=True))
    yes_to_no, no_to_yes = both["yes", "no"], both["no", "yes"]
    compared = both["yes", "yes"] + both["no", "no"] + yes_to_no + no_to_yes
    differences = tuple(map(_difference, answers_a.confidences, answers_b.confidences))
    counted = _counted(answers_a, answers_b, differences, every=compared == len(differences))
    return Pair(
        pair_id=_pair_id(arms, a),
        evaluation_a=a.known_id,
        evaluation_b=b.known_id,
        transcript_id=a.transcript_id,
        transcript_hash=a.transcript_hash,
        received_at=_later(a.received_at, b.received_at),
        row=arms.row,
        arm_a=arms.arm_a,
        arm_b=arms.arm_b,
        repeat_a=arms.repeat_a,
        repeat_b=arms.repeat_b,
        kind=arms.kind,
        judge=a.judge,
        system_id=a.system_id,
        epoch=a.epoch,
        occurred_at=a.occurred_at,
        evaluated_at=_later(a.evaluated_at, b.evaluated_at),
        domain=a.domain,
        channel=a.channel,
        language=a.language,
        labels=a.labels,
        comparisons=compared,
        flips=yes_to_no + no_to_yes,
        yes_to_no=yes_to_no,
        no_to_yes=no_to_yes,
        na_changes=len(differences) - compared,
        confidence_difference_sum=math.fsum(counted),
        confidence_absolute_difference_sum=math.fsum(map(abs, counted)),
        confidence_count=len(counted),
        positive_difference=_difference(a.positive_score, b.positive_score),
        improvement_difference=_difference(a.improvement_score, b.improvement_score),
        question_ids=answers_a.question_ids,
        answers_a=answers_a.verdicts,
        answers_b=answers_b.verdicts,
        confidence_differences=differences,
        construct_relevant=_asks_about(arms.row, answers_a, answers_b),
        version=_version(a, b),
    )


def _asks_about(row: str, a: AnswerColumns, b: AnswerColumns) -> tuple[bool, ...]:
    if not any(a.construct_relevant) and not any(b.construct_relevant):
        return (False,) * len(a.question_ids)
    return tuple(row in x or row in y for x, y in zip(a.construct_relevant, b.construct_relevant, strict=True))


def _counted(
    a: AnswerColumns, b: AnswerColumns, differences: Sequence[float | None], *, every: bool
) -> Sequence[float]:
    """The differences of confidence over the questions answered yes or no by both."""
    if every:
        return [difference for difference in differences if difference is not None]
    cells = zip(a.verdicts, b.verdicts, differences, strict=True)
    return [d for x, y, d in cells if x != "na" and y != "na" and d is not None]


def _pair_id(arms: _ArmPair, a: Evaluation) -> str:
    places = (arms.row, arms.arm_a, arms.arm_b, arms.kind, arms.repeat_a, arms.repeat_b)
    return digest("pair", a.transcript_id, *places, a.system_id, a.epoch)


def _version(a: Evaluation, b: Evaluation) -> int:
    # A newer content of the transcript wins; among equal ones the evaluations that were made first.
    received = _later(a.received_at, b.received_at)
    evaluated = _units(a.evaluated_at, timedelta(microseconds=1)) + _units(b.evaluated_at, timedelta(microseconds=1))
    return _units(received, timedelta(milliseconds=1)) << 64 | (2**64 - 1 - evaluated)


def _units(moment: datetime | None, unit: timedelta) -> int:
    return 0 if moment is None else (moment - EPOCH_ZERO) // unit


def _later(a: datetime | None, b: datetime | None) -> datetime | None:
    if a is None or b is None:
        return a or b
    return max(a, b)


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else b - a
