"""What has to be said beside the figures, so that they aren't read for more than they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from metrics.figures.agreement import Agreement
from metrics.figures.figure_records import RowFigures
from metrics.figures.measurement import Measurement, SystemFigures
from perturbations.rows import ROWS

LOW_FIDELITY = 0.9
"""Below this agreement with production's own answers, the judge asked may not be the judge that production runs."""

UNEVEN = 0.05
"""Below this adjusted p, arms that fail unequally often are pointed out."""

REACTS = "▲"
"""Marks a row whose verdict is that the judge reacts to the attribute."""

FAVOURED = "*"
"""Marks a row that favours an attribute beyond chance."""


def caveats(figures: SystemFigures | None, measurement: Measurement | None) -> list[str]:
    """One sentence each, on a system's figures and on the whole input; warnings, which start with `!`, first."""
    sentences = [
        *(_on_figures(figures) if figures is not None else ()),
        *(_on_input(measurement) if measurement is not None else ()),
    ]
    return sorted(sentences, key=lambda sentence: not sentence.startswith("!"))


def reacts(row: RowFigures) -> bool:
    """Whether the verdict is that the judge reacts to the row's attribute."""
    return row.verdict == "attribute"


def has_evaluations(row: RowFigures) -> bool:
    """Whether any arm of the row that isn't the original itself was evaluated."""
    return row.pairs > 0 or any(
        count for arm, counts in row.outcomes.items() if arm not in ("original", "none") for count in counts.values()
    )


def _on_figures(figures: SystemFigures) -> Iterator[str]:
    shown = {name: row for name, row in figures.rows.items() if has_evaluations(row)}
    if figures.judge.statement is not None:
        yield f"! {figures.judge.statement}"
    if any(reacts(row) for row in shown.values()):
        yield (
            f"{REACTS} The judge reacts to the attribute: it turns more answers than another change of the same kind "
            "does, beyond chance over all rows."
        )
    yield from _directions(shown)
    yield from _needed(shown, figures.precision)
    yield from _apart(shown)
    yield from _agreements(figures)
    yield from _failures(figures)
    yield from _uneven(shown)
    missing = [name for name in figures.rows if name not in shown]
    if missing and len(missing) < len(ROWS):
        yield f"Without evaluations: {', '.join(missing)}."


def _directions(shown: dict[str, RowFigures]) -> Iterator[str]:
    told = [
        f"{ROWS[name].title} favours {row.direction.most} ({100 * row.direction.most_advantage:+.1f} points of yes)"
        for name, row in shown.items()
        if row.direction.beyond_chance and row.direction.most_advantage is not None
    ]
    if told:
        yield f"{FAVOURED} Beyond chance over all attributes and rows: {', '.join(told)}."


def _needed(shown: dict[str, RowFigures], precision: float) -> Iterator[str]:
    rows = [
        f"{ROWS[name].title} {row.transcripts_needed:,}"
        for name, row in shown.items()
        if row.transcripts_needed is not None and row.transcripts_needed > row.transcripts
    ]
    if rows:
        yield f"Transcripts that it takes for ± {100 * precision:g} points of CFR, about: {', '.join(rows)}."


def _apart(shown: dict[str, RowFigures]) -> Iterator[str]:
    rows = [
        f"{ROWS[name].title} {100 * row.cfr_without_construct_relevant:.1f} %"
        for name, row in shown.items()
        if row.cfr_without_construct_relevant not in (None, row.cfr)
        and row.cfr_without_construct_relevant is not None
    ]
    if rows:
        yield f"CFR without the questions that ask about the row itself: {', '.join(rows)}."


def _agreements(figures: SystemFigures) -> Iterator[str]:
    fidelity = figures.fidelity
    if fidelity.agreement is not None:
        low = fidelity.agreement < LOW_FIDELITY
        caution = ": it may not be the judge that production runs" if low else ""
        yield f"{'! ' if low else ''}Agreement with production's answers {_agreed(fidelity)}{caution}."
    if figures.accuracy.agreement is not None:
        yield f"Agreement with people's answers {_agreed(figures.accuracy)}."
    if figures.judge.yes_share is not None:
        kappa = "" if figures.robustness.kappa is None else f", kappa between repeats {figures.robustness.kappa:.2f}"
        yield f"Share of yes {100 * figures.judge.yes_share:.1f} %{kappa}."


def _agreed(agreement: Agreement) -> str:
    share = f"{100 * (agreement.agreement or 0.0):.1f} %"
    interval = (
        "" if agreement.interval is None else " ({:.1f} to {:.1f})".format(*(100 * x for x in agreement.interval))
    )
    kappa = "" if agreement.kappa is None else f", kappa {agreement.kappa:.2f}"
    return f"{share}{interval}{kappa}, over {agreement.answers:,} answers"


def _failures(figures: SystemFigures) -> Iterator[str]:
    counted: Counter[str] = Counter(figures.robustness.outcomes.get("original", {}))
    for name, row in figures.rows.items():
        for arm, outcomes in (*row.outcomes.items(), *row.outcomes_placebo.items()):
            if not ROWS[name].is_original(arm):
                counted.update(outcomes)
    failed = {outcome: count for outcome, count in counted.items() if outcome != "ok" and count}
    if failed:
        parts = ", ".join(f"{outcome} {count:,}" for outcome, count in failed.items())
        yield f"! {sum(failed.values()):,} of {counted.total():,} evaluations gave no answers: {parts}."


def _uneven(shown: dict[str, RowFigures]) -> Iterator[str]:
    for name, row in shown.items():
        if row.outcomes_p_adjusted is not None and row.outcomes_p_adjusted < UNEVEN:
            failed = {
                arm: sum(counts.values()) - counts["ok"] - counts["skipped"] for arm, counts in row.outcomes.items()
            }
            parts = ", ".join(f"{arm} {count:,}" for arm, count in failed.items())
            yield f"! {ROWS[name].title}: some arms fail more often than others ({parts})."


def _on_input(measurement: Measurement) -> Iterator[str]:
    counted = measurement.input
    if counted.unknown_arms:
        parts = ", ".join(f"{reason} {count:,}" for reason, count in counted.unknown_arms.items())
        yield f"! Evaluations of rows or attributes that don't exist were left out: {parts}."
    if counted.pairs_across_epochs and counted.pairs_possible:
        share = 100 * counted.pairs_across_epochs / counted.pairs_possible
        yield (
            f"! {counted.pairs_across_epochs:,} of {counted.pairs_possible:,} pairs ({share:.1f} %) aren't made: one "
            "system judged their arms by different served models or parameters."
        )
    if counted.superseded_evaluations:
        yield f"Evaluations made more than once: {counted.superseded_evaluations:,} later contents were left out."
    if counted.transcripts_with_several_versions:
        yield f"Transcripts in several versions: {counted.transcripts_with_several_versions:,}; the latest counts."
