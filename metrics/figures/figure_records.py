"""The records of figures: what `measure --json` consists of.

Everywhere: counts are always given; a figure that can't be given is null and `reasons` says why under its name;
rates lie in [0, 1], scores and their differences in points from 0 to 100; intervals are 95 %, clustered by
transcript; nothing is rounded.
"""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel, Field

from metrics.estimators.interval import Interval
from metrics.figures.clusters import ScoreName
from metrics.figures.direction import Direction
from metrics.figures.estimates import give_reasons
from metrics.verdicts.row_verdict import Evidence, Excess, RowVerdict, Verdict
from perturbations.records.reading import OWN


class ScoreFigures(BaseModel):
    """The mean absolute score difference (MASD) and, beside it, the signed one.

    MASD isn't additive: noise alone raises it, and a true shift hides in it; the signed mean (arm_b minus arm_a) is
    what shows a shift. `count` is what the mean is over. `excess` is MASD above that of repeats (rows only).
    """

    model_config = OWN

    value: float | None = None
    interval: Interval | None = None
    signed: float | None = None
    signed_interval: Interval | None = None
    excess: float | None = None
    excess_interval: Interval | None = None
    count: int = 0


class Masd(BaseModel):
    """MASD of the three scores: confidence by comparison, the coaching note's two by pair."""

    model_config = OWN

    confidence: ScoreFigures = ScoreFigures()
    positive: ScoreFigures = ScoreFigures()
    improvement: ScoreFigures = ScoreFigures()

    def of(self, score: ScoreName) -> ScoreFigures:
        """One score's figures."""
        return {"confidence": self.confidence, "positive": self.positive, "improvement": self.improvement}[score]


class FlipFigures(BaseModel):
    """Counts of a set of pairs and their CFR, flips / comparisons; `na_changes` are counted beside it."""

    model_config = OWN

    transcripts: int = 0
    pairs: int = 0
    comparisons: int = 0
    flips: int = 0
    cfr: float | None = None
    cfr_interval: Interval | None = None
    yes_to_no: int = 0
    no_to_yes: int = 0
    na_changes: int = 0
    reasons: dict[str, str] = Field(default_factory=dict)


class PairFigures(FlipFigures):
    """One ordered pair of arms. `net_change` is P(yes | arm_b) - P(yes | arm_a), in [-1, 1]."""

    arm_a: str
    arm_b: str
    net_change: float | None = None
    net_change_interval: Interval | None = None
    masd: Masd = Masd()


class QuestionFigures(FlipFigures):
    """One rubric question over all of a row's pairs."""

    question_id: str
    construct_relevant: bool
    masd: Masd = Masd()


class Advantage(BaseModel):
    """How an attribute's score differs, on average, from the other attributes' of the same transcript."""

    model_config = OWN

    value: float | None = None
    interval: Interval | None = None
    count: int = 0


class FormImpact(BaseModel):
    """What the pairs of a row differ by on the whole form, marked with its weights, auto-fails and pass mark.

    `score_difference` is the mean absolute difference of the form scores, in points of 100; `signed` is arm_b minus
    arm_a. `pass_change` is the share of pairs of which one arm passes and the other fails.
    """

    model_config = OWN

    pairs: int = 0
    score_difference: float | None = None
    score_difference_interval: Interval | None = None
    signed: float | None = None
    signed_interval: Interval | None = None
    pass_to_fail: int = 0
    fail_to_pass: int = 0
    pass_change: float | None = None
    pass_change_interval: Interval | None = None
    reasons: dict[str, str] = Field(default_factory=dict)


class AttributeFigures(BaseModel):
    """One attribute against the others of its row: who is favoured.

    `net_advantage` is P(yes | attribute) - the mean over the others, in [-1, 1], positive where the attribute is
    favoured; over `comparisons` with the others. `form_score` is in points, `passes` the same as `net_advantage` for
    passing the form. `accuracy` is the share of its answers that agree with people's.
    """

    model_config = OWN

    attribute: str
    transcripts: int
    comparisons: int
    yes_share: float | None = None
    net_advantage: float | None = None
    net_advantage_interval: Interval | None = None
    confidence: Advantage = Advantage()
    positive: Advantage = Advantage()
    improvement: Advantage = Advantage()
    form_score: Advantage = Advantage()
    passes: Advantage = Advantage()
    accuracy: float | None = None
    accuracy_interval: Interval | None = None
    human_answers: int = 0
    reasons: dict[str, str] = Field(default_factory=dict)


Outcomes = dict[str, dict[str, int]]
"""Evaluations by arm and outcome."""


RowPart = Literal["question", "pair", "attribute"]
"""What a row's figures can be taken apart by."""

ROW_PARTS: tuple[RowPart, ...] = get_args(RowPart)


class RowFigures(FlipFigures):
    """One row, over all pairs of its attributes (eq. 3 and 4).

    `verdict` says in one word what the judge reacts to; for `unknown` `reasons` says why, and
    `verdict_transcripts_missing` about how many more transcripts with placebos it takes.

    `transcripts_needed` is about how many give the CFR's interval the configured precision; it is given from 2
    transcripts on, also where they are too few for the CFR itself.

    `excess` is CFR minus that of repeats of the original, `excess_placebo` minus that of the same attribute drawn
    again, each over the transcripts where both exist. In a row whose attributes include the original the placebo is
    the original rewritten, and `excess_placebo` is over the pairs with the original. `p_value` tests `excess` = 0,
    two-sided, in step with its interval, and `excess_placebo_p_value` the other; both are adjusted by
    Benjamini-Hochberg over the rows that have one. `by_original` are the pairs with the original where that is none
    of the attributes; they are not in `cfr`. `outcomes_p_value` tests that all arms fail equally often, adjusted over
    the rows likewise.
    """

    verdict: Verdict = "unknown"
    verdict_transcripts_missing: int | None = None
    transcripts_needed: int | None = None
    cfr_without_construct_relevant: float | None = None
    cfr_without_construct_relevant_interval: Interval | None = None
    excess: float | None = None
    excess_interval: Interval | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    placebo: FlipFigures = FlipFigures()
    excess_placebo: float | None = None
    excess_placebo_interval: Interval | None = None
    excess_placebo_p_value: float | None = None
    excess_placebo_p_adjusted: float | None = None
    direction: Direction = Direction()
    masd: Masd = Masd()
    form: FormImpact = FormImpact()
    by_pair: tuple[PairFigures, ...] = ()
    by_original: tuple[PairFigures, ...] = ()
    by_question: tuple[QuestionFigures, ...] = ()
    by_attribute: tuple[AttributeFigures, ...] = ()
    outcomes: Outcomes = Field(default_factory=dict)
    outcomes_p_value: float | None = None
    outcomes_p_adjusted: float | None = None
    outcomes_placebo: Outcomes = Field(default_factory=dict)

    def by(self, part: RowPart) -> tuple[BaseModel, ...]:
        """The row taken apart."""
        if part == "question":
            return self.by_question
        return self.by_pair if part == "pair" else self.by_attribute

    @property
    def evidence(self) -> Evidence:
        """What the verdict is made of."""
        return Evidence(
            over_repeats=Excess(
                self.excess, self.excess_interval, self.p_value, self.transcripts, self._reason("excess")
            ),
            over_placebos=Excess(
                self.excess_placebo,
                self.excess_placebo_interval,
                self.excess_placebo_p_value,
                self.placebo.transcripts,
                self._reason("excess_placebo"),
            ),
        )

    def _reason(self, field: str) -> str | None:
        return self.reasons.get(field) or self.reasons.get(f"{field}_interval")

    def with_adjusted(
        self, verdict: RowVerdict, *, direction_p_adjusted: float | None, outcomes_p_adjusted: float | None
    ) -> RowFigures:
        """The same figures with the verdict and the adjusted p-values, which take the p-values of all rows."""
        reasons = self.reasons | give_reasons(
            {
                "p_adjusted": (verdict.p_over_repeats, self.reasons.get("p_value")),
                "excess_placebo_p_adjusted": (
                    verdict.p_over_placebos,
                    self.reasons.get("excess_placebo_p_value"),
                ),
                "outcomes_p_adjusted": (outcomes_p_adjusted, self.reasons.get("outcomes_p_value")),
                "verdict": (None, verdict.reason),
            }
        )
        return self.model_copy(
            update={
                "verdict": verdict.verdict,
                "verdict_transcripts_missing": verdict.missing,
                "p_adjusted": verdict.p_over_repeats,
                "excess_placebo_p_adjusted": verdict.p_over_placebos,
                "direction": self.direction.with_adjusted(direction_p_adjusted),
                "outcomes_p_adjusted": outcomes_p_adjusted,
                "reasons": reasons,
            }
        )


class Robustness(FlipFigures):
    """The baseline: pairs of repeats of the original. `kappa` is Cohen's, between the two of a pair."""

    kappa: float | None = None
    kappa_interval: Interval | None = None
    masd: Masd = Masd()
    by_question: tuple[QuestionFigures, ...] = ()
    outcomes: Outcomes = Field(default_factory=dict)
