"""What a wanted precision takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks.design_cost import cost
from evaluators.evaluation import Evaluation, Usage
from evaluators.price import Price
from metrics.errors import MeasureError
from metrics.estimators.interval import effective, rate_interval, transcripts_needed
from metrics.figures.clusters import flips
from metrics.pairs.pairing import pair_evaluations
from metrics.planning.observed_rows import DRAWS, assumed_row, dollars_per_evaluation, observed_rows
from metrics.planning.plan import Means, plan
from metrics.tables.plan import plan_table
from perturbations.planning.design import FULL, Design
from perturbations.rows import ROWS
from tests.builders import make_evaluation
from tests.shown import shown

ETHNICITY = "agent_ethnicity_name"


def six_arms(transcripts: int, *, seed: int = 1, **fields: str) -> list[Evaluation]:
    """A row of six attributes whose arms turn answers unequally often, on transcripts that differ in proneness."""
    rng = np.random.default_rng(seed)
    made = []
    for n in range(transcripts):
        prone = rng.beta(0.45, 8.55)
        for k, attribute in enumerate(ROWS[ETHNICITY].attributes):
            turned = rng.random(12) < prone * (0.5 + 0.2 * k)
            letters = "".join("n" if is_turned else "y" for is_turned in turned)
            made.append(make_evaluation(f"c-{n}", ETHNICITY, attribute, letters, **fields))
    return made


def test_what_is_seen_is_the_rows_own_rate_and_worth() -> None:
    evaluations = six_arms(60)
    own = effective(flips(pair_evaluations(evaluations)).values())
    assert own is not None
    observed = observed_rows(evaluations, FULL)
    assert set(observed) == {ETHNICITY}
    row = observed[ETHNICITY]
    assert (row.cfr, row.transcripts, row.arms, row.applies) == (own.rate, 60, 6.0, 1.0)
    assert row.each == pytest.approx(own.size / 60)
    needed = plan([ETHNICITY], Means(0.02, FULL, 2, 12), observed=observed).rows[ETHNICITY].needs
    assert needed.transcripts == transcripts_needed(own, 0.02)
    assert needed.calls == 6 * needed.transcripts


def test_so_many_transcripts_give_the_precision() -> None:
    needed = plan(
        [ETHNICITY], Means(0.015, FULL, 2, 12), observed=observed_rows(six_arms(80), FULL)
    ).total.transcripts
    low, high = rate_interval(flips(pair_evaluations(six_arms(needed, seed=9))).values()) or (0, 1)
    assert (high - low) / 2 == pytest.approx(0.015, rel=0.35)


def test_fewer_arms_take_fewer_calls_and_more_transcripts_as_when_they_are_simulated() -> None:
    evaluations = six_arms(150)
    full, three = (
        plan([ETHNICITY], Means(0.01, d, 2, 12), observed=observed_rows(evaluations, d)).rows[ETHNICITY]
        for d in (FULL, Design(arms_per_row=3))
    )
    assert three.cfr == full.cfr
    assert three.needs.transcripts > full.needs.transcripts
    assert three.needs.calls < full.needs.calls
    simulated = [cost(arms, turning=0.05, icc=0.1, questions=12, transcripts=1500) for arms in (6, 3)]
    expected = simulated[1].calls / simulated[0].calls
    assert three.needs.calls / full.needs.calls == pytest.approx(expected, rel=0.3)
    beside = plan(
        [ETHNICITY],
        Means(0.01, FULL, 2, 12),
        observed=observed_rows(evaluations, FULL),
        fewer={3: observed_rows(evaluations, Design(arms_per_row=3))},
    )
    (of_three,) = (design for design in beside.rows[ETHNICITY].designs if design.arms == 3)
    assert (of_three.transcripts, of_three.calls) == (three.needs.transcripts, three.needs.calls)


def test_what_was_seen_under_fewer_arms_is_not_thinned_again() -> None:
    chosen = {"hispanic", "black", "white"}
    evaluations = [e for e in six_arms(60) if e.attribute in chosen]
    thin, full = (observed_rows(evaluations, d)[ETHNICITY] for d in (Design(arms_per_row=3), FULL))
    assert thin == full
    assert thin.arms == 3.0
    assert DRAWS > 1


def test_where_a_row_does_not_apply_it_takes_more_transcripts() -> None:
    evaluations = [e for e in six_arms(80) if int(e.transcript_id[2:]) < 40]
    others = [make_evaluation(f"c-{n}") for n in range(80)]
    means = Means(0.02, FULL, 2, 12)
    some = plan([ETHNICITY], means, observed=observed_rows([*evaluations, *others], FULL)).rows[ETHNICITY]
    every = plan([ETHNICITY], means, observed=observed_rows(evaluations, FULL)).rows[ETHNICITY]
    assert some.needs.transcripts == 2 * every.needs.transcripts
    assert some.needs.calls == every.needs.calls


def test_without_anything_seen_a_rate_is_assumed() -> None:
    row = assumed_row(ROWS["agent_disability"], FULL, questions=30)
    assert (row.cfr, row.arms, row.transcripts) == (0.1, 1.0, 0)
    assert row.each == pytest.approx(30 / 3.9)
    assert assumed_row(ROWS[ETHNICITY], Design(arms_per_row=2), questions=30).arms == 2.0
    whole = plan(list(ROWS), Means(0.02, FULL, 2, 30))
    assert all(row.seen_transcripts == 0 for row in whole.rows.values())
    # Both originals, and the arms of every row but the originals among them.
    assert whole.calls_per_transcript == 2 + sum(
        len(r.attributes) - bool(r.original_attribute) for r in ROWS.values()
    )


def test_the_total_is_one_sample_for_all_rows_with_the_original_and_the_placebos() -> None:
    means = Means(0.02, Design(placebo_rate=0.25), 2, 30, calls=3, dollars=0.01)
    whole = plan(["agent_gender", ETHNICITY], means)
    most = max(row.needs.transcripts for row in whole.rows.values())
    assert whole.total.transcripts == most
    assert whole.calls_per_transcript == 3 * (2 + 1.25 * (2 + 6))
    assert whole.total.calls == most * 36
    assert whole.total.dollars == pytest.approx(most * 12 * 0.01)
    assert (whole.total.days, whole.total.limited_by) == (None, None)
    half = plan(["agent_gender", ETHNICITY], replace(means, design=Design(rows_per_transcript=1)))
    assert half.total.transcripts == 2 * most
    assert half.calls_per_transcript == 3 * (2 + 0.5 * (2 + 6))


@pytest.mark.parametrize(
    ("limits", "days", "by"),
    [
        ({"sampled_per_day": 10.0}, 20.0, "traffic"),
        ({"sampled_per_day": 10.0, "calls_per_day": 30.0}, 800 / 30, "calls_per_day"),
        ({"sampled_per_day": 1000.0, "dollars_per_day": 0.5}, 16.0, "dollars_per_day"),
        ({"calls_per_day": 30.0}, None, None),
    ],
)
def test_days_come_from_what_is_scarcest(limits: dict[str, Any], days: float | None, by: str | None) -> None:
    means = Means(0.5, FULL, 2, 30, least=200, dollars=0.01)
    total = plan(["agent_gender"], replace(means, **limits)).total
    assert (total.transcripts, total.calls) == (200, 800)
    assert total.dollars == pytest.approx(8.0)
    assert total.days == (None if days is None else pytest.approx(days))
    assert total.limited_by == by


def test_dollars_come_from_tokens_and_price() -> None:
    price = Price(input=2.0, output=10.0)
    used = [
        make_evaluation("c-1", usage=Usage(input_tokens=1000, output_tokens=100)),
        make_evaluation("c-2", usage=Usage(input_tokens=3000, output_tokens=100)),
        make_evaluation("c-3"),
    ]
    assert dollars_per_evaluation([*used, *used], price) == pytest.approx(0.005)
    assert dollars_per_evaluation(used, None) is None
    assert dollars_per_evaluation(used[2:], price) is None


def test_several_systems_need_a_choice() -> None:
    both = [*six_arms(20, system_id="a"), *six_arms(30, system_id="b")]
    with pytest.raises(MeasureError, match="2 systems"):
        observed_rows(both, FULL)
    assert observed_rows(both, FULL, system="b")[ETHNICITY].transcripts == 30
    with pytest.raises(MeasureError, match="'c'"):
        observed_rows(both, FULL, system="c")
    assert observed_rows([], FULL) == {}


def test_the_table_says_what_is_unknown() -> None:
    whole = plan(["agent_gender", ETHNICITY], Means(0.01, FULL, 2, 30))
    text = shown(plan_table(whole.with_reasons({"dollars": "no judge is configured"})))
    assert "± 1 points" in text
    row = next(line for line in text.splitlines() if "Ethnicity (name-only)" in line)
    for part in ("10.0", "assumed", "unknown", "2: ", "3: "):
        assert part in row
    assert "dollars: no judge is configured." in text
