"""Evaluations into a measurement: what `measure`, the demo, replay and the gate have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evaluators.evaluation import Evaluation
from metrics.figures.agreement import agreement, answers_of, human_answer, production_answer, ratings_of
from metrics.figures.arm_outcomes import by_arm, count_outcomes, row_arms
from metrics.figures.figures import adjusted, robustness_figures, rows_figures
from metrics.figures.form_marking import EQUAL_WEIGHTS, FormMarking
from metrics.figures.measurement import Counted, JudgeFigures, Measurement, SystemFigures, dump
from metrics.figures.thresholds import DEFAULT, Thresholds
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import ANCHOR, arm_fault, pair_evaluations, possible_pairs
from metrics.pairs.systems import by_system, choose_system, judges_of, several_systems
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS

__all__ = ["Measurement", "dump", "measure"]

_INPUT = "in the input"


def measure(
    evaluations: Iterable[Evaluation],
    *,
    system: str | None = None,
    thresholds: Thresholds = DEFAULT,
    marking: FormMarking = EQUAL_WEIGHTS,
) -> Measurement:
    """All figures of these evaluations; order, copies and splits of the input make no difference.

    `system` is a key of `metrics.pairs.systems.system_key`, needed where there are several. `marking` says what the
    answers are worth on the form, all the same by default. Evaluations of rows or
    attributes that don't exist are counted in `input.unknown_arms` and left out. Raises MeasureError for a
    system that isn't in the input.
    """
    counted = deduplicate(evaluations)
    faults = Counter(fault for e in counted.evaluations if (fault := arm_fault(e)) is not None)
    anchors = faults.pop(ANCHOR, 0)
    arms = [e for e in counted.evaluations if arm_fault(e) is None]
    groups = by_system(arms)
    if system is None and len(groups) > 1:
        reason = several_systems(groups, where=_INPUT)
        key, chosen, needed = None, arms, replace(thresholds, withheld=reason)
        reasons = {"rows": reason, "robustness": reason}
    else:
        key = choose_system(groups, system, where=_INPUT)
        chosen, needed, reasons = [] if key is None else groups[key], thresholds, {}
    top = _figures(chosen, needed, marking)
    possible, across = _across_epochs(arms)
    return Measurement(
        rows=top.rows,
        robustness=top.robustness,
        accuracy=top.accuracy,
        fidelity=top.fidelity,
        judge=top.judge,
        precision=top.precision,
        systems=tuple(groups),
        system=key,
        input=Counted(
            evaluations=len(counted.evaluations) - anchors,
            anchors=anchors,
            transcripts=len({e.transcript_id for e in counted.evaluations if arm_fault(e) != ANCHOR}),
            superseded_evaluations=counted.superseded_evaluations,
            transcripts_with_several_versions=len(counted.transcripts_with_several_versions),
            pairs_possible=possible,
            pairs_across_epochs=across,
            unknown_arms=dict(sorted(faults.items())),
        ),
        by_system={name: _figures(group, thresholds, marking) for name, group in groups.items()}
        if len(groups) > 1
        else None,
        reasons=reasons,
    )


def _across_epochs(arms: Sequence[Evaluation]) -> tuple[int | None, int]:
    """How many pairs there would be if epochs didn't matter, and how many of them there aren't, since they do."""
    answered = [e for e in arms if e.outcome == "ok"]
    if len({(e.system_id, e.epoch) for e in answered}) == len({e.system_id for e in answered}):
        return None, 0
    possible = possible_pairs(answered)
    return possible, possible - len(pair_evaluations(answered))


def _figures(evaluations: Sequence[Evaluation], needed: Thresholds, marking: FormMarking) -> SystemFigures:
    pairs = pair_evaluations(evaluations)
    arms = by_arm(evaluations)
    of_rows = {name: row_arms(row, arms, needed) for name, row in ROWS.items()}
    repeats = [e for e in evaluations if e.row == ROBUSTNESS]
    originals = [e for e in repeats if e.repeat == 0]
    return SystemFigures(
        rows=adjusted(rows_figures(pairs, needed=needed, marking=marking, arms=of_rows), needed),
        robustness=robustness_figures(pairs, needed=needed, outcomes={ORIGINAL: count_outcomes(repeats)}),
        accuracy=agreement(ratings_of(originals, human_answer), needed),
        fidelity=agreement(ratings_of(originals, production_answer), needed),
        judge=_judge(evaluations, needed),
        precision=needed.precision,
    )


def _judge(evaluations: Sequence[Evaluation], needed: Thresholds) -> JudgeFigures:
    answers = [answer.answer for _, answer in answers_of(evaluations) if answer.answer in ("yes", "no")]
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
