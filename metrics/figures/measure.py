"""Evaluations into a measurement: what `measure`, the demo, replay and the gate have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

from evaluators.evaluation import Answer, Evaluation, Outcome
from metrics.errors import MeasureError
from metrics.figures.agreement import Agreement, Rating, agreement
from metrics.figures.arm_outcomes import failed_by_arm, failure_p_value
from metrics.figures.breakdown import note
from metrics.figures.clusters import clustered
from metrics.figures.figure_records import AttributeFigures, RowFigures
from metrics.figures.figures import adjusted, robustness_figures, rows_figures
from metrics.figures.form_marking import EQUAL, Marking
from metrics.figures.measurement import Counted, JudgeFigures, Measurement, SystemFigures, dump
from metrics.figures.thresholds import DEFAULT, Thresholds, rate
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import ANCHOR, arm_fault, pair_evaluations
from metrics.pairs.systems import by_system, judges_of, told
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS, Row

__all__ = ["Measurement", "dump", "measure"]

_OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def measure(
    evaluations: Iterable[Evaluation],
    *,
    system: str | None = None,
    thresholds: Thresholds = DEFAULT,
    marking: Marking = EQUAL,
) -> Measurement:
    """All figures of these evaluations; order, copies and splits of the input make no difference.

    `system` is a key of `metrics.pairs.systems.system_key`, needed where there are several. `marking` says what the
    answers are worth on the form, all the same by default. Evaluations of rows or
    attributes that don't exist are counted in `input.unknown_arms` and left out. Raises MeasureError for a
    system that isn't in the input.
    """
    found = deduplicate(evaluations)
    faults = Counter(fault for e in found.evaluations if (fault := arm_fault(e)) is not None)
    anchors = faults.pop(ANCHOR, 0)
    arms = [e for e in found.evaluations if arm_fault(e) is None]
    groups = by_system(arms)
    if system is not None and system not in groups:
        raise MeasureError(f"no evaluation of system {system!r}; systems in the input: {told(groups)}")
    chosen, needed, reasons = arms, thresholds, {}
    if system is not None:
        chosen = groups[system]
    elif len(groups) > 1:
        reason = f"{len(groups)} systems in the input, choose one"
        needed, reasons = replace(thresholds, withheld=reason), {"rows": reason, "robustness": reason}
    top = _figures(chosen, needed, marking)
    possible, across = _across_epochs(arms)
    return Measurement(
        **{name: getattr(top, name) for name in SystemFigures.model_fields},
        systems=tuple(groups),
        system=system if system is not None or len(groups) != 1 else next(iter(groups)),
        input=Counted(
            evaluations=len(found.evaluations) - anchors,
            anchors=anchors,
            transcripts=len({e.transcript_id for e in found.evaluations if arm_fault(e) != ANCHOR}),
            superseded_evaluations=found.superseded_evaluations,
            transcripts_with_several_versions=len(found.transcripts_with_several_versions),
            pairs_possible=possible,
            pairs_across_epochs=across,
            unknown_arms=dict(sorted(faults.items())),
        ),
        by_system={key: _figures(group, thresholds, marking) for key, group in groups.items()}
        if len(groups) > 1
        else None,
        reasons=reasons,
    )


def _across_epochs(arms: Sequence[Evaluation]) -> tuple[int | None, int]:
    """How many pairs there would be if epochs didn't matter, and how many of them there aren't, since they do."""
    answered = [e for e in arms if e.outcome == "ok"]
    if len({(e.system_id, e.epoch) for e in answered}) == len({e.system_id for e in answered}):
        return None, 0
    possible = len(pair_evaluations(e.model_copy(update={"epoch": ""}) for e in answered))
    return possible, possible - len(pair_evaluations(answered))


def _figures(evaluations: Sequence[Evaluation], needed: Thresholds, marking: Marking) -> SystemFigures:
    pairs = pair_evaluations(evaluations)
    arms = _by_arm(evaluations)
    rows = rows_figures(pairs, needed=needed, marking=marking)
    repeats = [e for e in evaluations if e.row == ROBUSTNESS]
    originals = [e for e in repeats if e.repeat == 0]
    robustness = robustness_figures(pairs, needed=needed)
    return SystemFigures(
        rows=adjusted({name: _with_arms(ROWS[name], figures, arms, needed) for name, figures in rows.items()}),
        robustness=robustness.model_copy(update={"outcomes": {ORIGINAL: _outcomes(repeats)}}),
        accuracy=_agreement(originals, "human_answer", needed),
        fidelity=_agreement(originals, "production_answer", needed),
        judge=_judge(evaluations, needed),
        precision=needed.precision,
    )


_Arms = Mapping[tuple[str, str, int], Sequence[Evaluation]]
"""Evaluations by row, attribute and draw; the original's is its repeat 0."""


def _by_arm(evaluations: Iterable[Evaluation]) -> _Arms:
    arms: dict[tuple[str, str, int], list[Evaluation]] = {}
    for e in evaluations:
        if e.repeat == 0:
            arms.setdefault((e.row, e.attribute, e.draw), []).append(e)
    return arms


def _arm(row: Row, attribute: str, draw: int, arms: _Arms) -> Sequence[Evaluation]:
    own = arms.get((row.name, attribute, draw), ())
    if not row.is_original(attribute):
        return own
    originals = arms.get((ROBUSTNESS, ORIGINAL, 0), ())
    served = {e.transcript_id for e in originals}
    return [*originals, *(e for e in own if e.transcript_id not in served)]


def _with_arms(row: Row, figures: RowFigures, arms: _Arms, needed: Thresholds) -> RowFigures:
    held = {attribute: _arm(row, attribute, 0, arms) for attribute in row.attributes}
    again = {
        attribute: _arm(row, attribute, 1, arms) for attribute in row.attributes if not row.is_original(attribute)
    }
    failed = failed_by_arm(held)
    p_value = None if needed.withheld else failure_p_value(failed, row.attributes)
    reasons = dict(figures.reasons)
    note(reasons, "outcomes_p_value", p_value, needed.withheld or "no transcript was asked about in every arm")
    return figures.model_copy(
        update={
            "outcomes": {attribute: _outcomes(evaluations) for attribute, evaluations in held.items()},
            "outcomes_p_value": p_value,
            "outcomes_placebo": {attribute: _outcomes(evaluations) for attribute, evaluations in again.items()},
            "by_attribute": tuple(
                _with_accuracy(part, held[part.attribute], needed) for part in figures.by_attribute
            ),
            "reasons": reasons,
        }
    )


def _outcomes(evaluations: Iterable[Evaluation]) -> dict[str, int]:
    counted = Counter(e.outcome for e in evaluations)
    return {outcome: counted[outcome] for outcome in _OUTCOMES}


def _with_accuracy(part: AttributeFigures, arm: Iterable[Evaluation], needed: Thresholds) -> AttributeFigures:
    ratings = [rating for group in _ratings(arm, "human_answer").values() for rating in group]
    accuracy = rate(clustered((key, a == b, 1) for key, a, b in ratings).values(), needed)
    reasons = dict(part.reasons)
    if accuracy.value is None and accuracy.reason is not None:
        reasons["accuracy"] = accuracy.reason
    return part.model_copy(
        update={
            "accuracy": accuracy.value,
            "accuracy_interval": accuracy.interval,
            "human_answers": len(ratings),
            "reasons": reasons,
        }
    )


_Other = Literal["human_answer", "production_answer"]


def _agreement(originals: Iterable[Evaluation], other: _Other, needed: Thresholds) -> Agreement:
    return agreement(_ratings(originals, other), needed)


def _ratings(evaluations: Iterable[Evaluation], other: _Other) -> dict[str, list[Rating]]:
    ratings: dict[str, list[Rating]] = {}
    for e, answer in _answers(evaluations):
        verdict = answer.human_answer if other == "human_answer" else answer.production_answer
        if answer.answer is not None and verdict is not None:
            ratings.setdefault(answer.question_id, []).append((e.transcript_id, answer.answer, verdict))
    return ratings


def _answers(evaluations: Iterable[Evaluation]) -> Iterable[tuple[Evaluation, Answer]]:
    return ((e, answer) for e in evaluations if e.outcome == "ok" for answer in e.answers if answer.outcome == "ok")


def _judge(evaluations: Sequence[Evaluation], needed: Thresholds) -> JudgeFigures:
    answers = [answer.answer for _, answer in _answers(evaluations) if answer.answer in ("yes", "no")]
    share = answers.count("yes") / len(answers) if answers and needed.withheld is None else None
    constant = share in (0.0, 1.0)
    reason = needed.withheld or "no answers"
    return JudgeFigures(
        judges=judges_of(evaluations),
        answers=len(answers),
        yes_share=share,
        constant=constant,
        statement=_constant_statement(answers[0], len(answers)) if constant else None,
        reasons={"yes_share": reason} if share is None else {},
    )


def _constant_statement(answer: str | None, count: int) -> str:
    return (
        f"This judge doesn't discriminate: all {count:,} answers are {answer}. A CFR of 0 here says nothing about "
        "fairness."
    )
