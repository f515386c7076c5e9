"""The live window and `measure` give the same figures, with the same reasons, for the same evaluations."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.evaluation import Evaluation, Judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.stored_records import write_pairs
from metrics.clickhouse.window_sums import attribute_sums, transcript_sums
from metrics.figures.clusters import SCORES
from metrics.figures.figure_records import Robustness, RowFigures
from metrics.figures.measure import measure
from metrics.figures.measurement import SystemFigures
from metrics.figures.thresholds import DEFAULT, Thresholds
from metrics.live.favoured import Favoured, favoured
from metrics.live.window import WindowFigures, window_figures
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import pair_evaluations
from metrics.pairs.systems import system_key
from metrics.verdicts.row_verdict import RowVerdict
from perturbations.rows import ORIGINAL, ROBUSTNESS, ROWS
from tests.builders import at, make_answers, make_evaluation
from tests.examples import examples
from tests.metrics.live.reduction import attribute_sums_of, transcript_sums_of

NOON = at("2026-11-30T12:00:00Z")
EVER = (datetime(1970, 1, 1, tzinfo=UTC), datetime(2199, 1, 1, tzinfo=UTC))
REASONS = (
    *("cfr", "cfr_interval", "excess", "excess_interval", "excess_placebo", "excess_placebo_interval"),
    *(f"masd.{score}" for score in SCORES),
)

SOME_ROWS = ("agent_gender", "contextual_metadata", "politeness", "agent_disability")
ARMS = [(row, attribute) for row in SOME_ROWS for attribute in ROWS[row].attributes]


def pairs_of(evaluations: Iterable[Evaluation]) -> list[Pair]:
    return pair_evaluations(deduplicate(evaluations).evaluations)


def figures_by_model(evaluations: Sequence[Evaluation], needed: Thresholds) -> dict[str, SystemFigures]:
    """`measure`'s figures of each model; a model is one system here, and has one epoch."""
    keys = {e.judge.model: system_key(e.system_id, e.epoch) for e in evaluations}
    measurement = measure(evaluations, thresholds=needed)
    if measurement.by_system is None:
        return dict.fromkeys(keys, measurement)
    return {model: measurement.by_system[key] for model, key in keys.items() if key in measurement.by_system}


def assert_live_is_batch(
    window: Iterable[WindowFigures],
    directions: Iterable[Favoured],
    evaluations: Sequence[Evaluation],
    needed: Thresholds,
) -> None:
    live = {(figures.model, figures.row): figures for figures in window}
    most = {(direction.model, direction.row): direction for direction in directions}
    for model, batch in figures_by_model(evaluations, needed).items():
        measured: dict[str, RowFigures | Robustness] = {**batch.rows, ROBUSTNESS: batch.robustness}
        for name, figures in measured.items():
            if (model, name) in live:
                assert as_shown(live.pop((model, name))) == as_measured(figures)
            else:
                assert figures.pairs == 0
        for name, row in batch.rows.items():
            of_row = most.pop((model, name), None)
            if row.direction.most is None:
                assert of_row is None
            else:
                assert of_row is not None
                assert of_row.direction == row.direction
                assert of_row.advantages == {
                    part.attribute: part.net_advantage for part in row.by_attribute if part.net_advantage is not None
                }
    assert (live, most) == ({}, {})


def as_shown(figures: WindowFigures) -> dict[str, object]:
    assert set(figures.reasons) <= set(REASONS)
    return {
        "transcripts": figures.transcripts,
        "comparisons": figures.comparisons,
        "cfr": figures.cfr,
        "cfr_interval": figures.cfr_interval,
        "excess": figures.excess,
        "excess_interval": figures.excess_interval,
        "excess_placebo": figures.excess_placebo,
        "excess_placebo_interval": figures.excess_placebo_interval,
        "verdict": figures.verdict,
        "masd": dict(figures.masd),
        "reasons": dict(figures.reasons),
    }


def as_measured(figures: RowFigures | Robustness) -> dict[str, object]:
    return {
        "transcripts": figures.transcripts,
        "comparisons": figures.comparisons,
        "cfr": figures.cfr,
        "cfr_interval": figures.cfr_interval,
        "excess": figures.excess if isinstance(figures, RowFigures) else None,
        "excess_interval": figures.excess_interval if isinstance(figures, RowFigures) else None,
        "excess_placebo": figures.excess_placebo if isinstance(figures, RowFigures) else None,
        "excess_placebo_interval": figures.excess_placebo_interval if isinstance(figures, RowFigures) else None,
        "verdict": verdict_of(figures) if isinstance(figures, RowFigures) else None,
        "masd": {score: figures.masd.of(score).value for score in SCORES},
        "reasons": {field: reason for field, reason in figures.reasons.items() if field in REASONS},
    }


def verdict_of(row: RowFigures) -> RowVerdict:
    missing, p_placebos = row.verdict_transcripts_missing, row.excess_placebo_p_adjusted
    return RowVerdict(row.verdict, row.reasons.get("verdict"), missing, row.p_adjusted, p_placebos)


@st.composite
def some_evaluation(draw: st.DrawFn) -> Evaluation:
    """An arm of some row or a repeat, by one of two models; half of them are of the same transcript and model."""
    row, attribute = draw(st.sampled_from([*ARMS, *[(ROBUSTNESS, ORIGINAL)] * (len(ARMS) // 2)]))
    model = draw(st.sampled_from("aaab"))
    is_repeat = row == ROBUSTNESS
    return make_evaluation(
        draw(st.sampled_from(["c-1", "c-1", "c-2", "c-3"])),
        row,
        attribute,
        make_answers(
            draw(st.text("yyna-", min_size=3, max_size=3)),
            confidences=draw(st.lists(st.none() | st.floats(0, 100), min_size=3, max_size=3)),
        ),
        draw=0 if is_repeat else draw(st.sampled_from([0, 0, 0, 1])),
        repeat=draw(st.integers(0, 2)) if is_repeat else 0,
        judge=Judge(provider="p", model=model),
        system_id=f"s-{model}",
        epoch=f"e-{model}",
        positive_score=draw(st.none() | st.floats(0, 100)),
        improvement_score=draw(st.none() | st.floats(0, 100)),
        evaluated_at=draw(st.sampled_from([None, NOON])),
        outcome=draw(st.sampled_from(["ok"] * 6 + ["refused"])),
    )


few = st.builds(Thresholds, comparisons=st.integers(0, 10), transcripts=st.integers(0, 2))
some_thresholds = few | few | few | st.just(DEFAULT)


@examples(1.2)
@given(
    st.lists(some_evaluation(), max_size=9) | st.lists(some_evaluation(), min_size=30, max_size=60), some_thresholds
)
def test_any_evaluations_give_the_same_live_and_measured(evaluations: list[Evaluation], needed: Thresholds) -> None:
    pairs = pairs_of(evaluations)
    window = window_figures(transcript_sums_of(pairs), needed)
    directions = favoured(attribute_sums_of(pairs), needed)
    assert_live_is_batch(window, directions, evaluations, needed)


def many_evaluations() -> list[Evaluation]:
    """Every arm of a few rows for 60 transcripts, two judges in turn; scores are exact in any order of adding up."""
    draw = random.Random(11)
    arms = [
        *((row, attribute, 0, placebo) for row, attribute in ARMS for placebo in (0, 1)),
        *((ROBUSTNESS, ORIGINAL, n, 0) for n in range(3)),
    ]
    return [
        make_evaluation(
            f"c-{n}",
            row,
            attribute,
            make_answers(
                "".join(draw.choice("yyyyna-") for _ in range(6)),
                confidences=[draw.choice([None, draw.randrange(401) / 4]) for _ in range(6)],
            ),
            repeat=repeat,
            draw=placebo,
            judge=Judge(provider="p", model="ab"[n % 2]),
            system_id=f"s-{'ab'[n % 2]}",
            epoch=f"e-{'ab'[n % 2]}",
            occurred_at=NOON,
            evaluated_at=NOON,
            positive_score=draw.choice([None, 40.0, 61.5]),
            improvement_score=draw.randrange(401) / 4,
            outcome=draw.choice(["ok"] * 8 + ["refused"]),
        )
        for n in range(60)
        for row, attribute, repeat, placebo in arms
        if draw.random() < 0.9
    ]


@pytest.mark.parametrize("needed", [DEFAULT, Thresholds(1, 1), Thresholds(150, 28), Thresholds(10**6, 1)])
async def test_what_the_store_adds_up_gives_the_same_too(store: str, needed: Thresholds) -> None:
    evaluations = many_evaluations()
    pairs = pairs_of(evaluations)
    async with await connect(store) as client:
        assert await write_pairs(client, pairs) == []
        of_transcripts, of_attributes = await transcript_sums(client, *EVER), await attribute_sums(client, *EVER)
    assert of_transcripts == transcript_sums_of(pairs)
    assert of_attributes == attribute_sums_of(pairs)
    window, directions = window_figures(of_transcripts, needed), favoured(of_attributes, needed)
    assert_live_is_batch(window, directions, evaluations, needed)


def test_one_repeat_comparison_in_each_of_25_transcripts_is_too_little_for_an_excess() -> None:
    evaluations = [
        evaluation
        for n in range(25)
        for evaluation in (
            make_evaluation(f"c-{n}", "agent_gender", "male", "yyyy"),
            make_evaluation(f"c-{n}", "agent_gender", "female", "nyyy" if n < 4 else "yyyy"),
            make_evaluation(f"c-{n}", answers="y"),
            make_evaluation(f"c-{n}", answers="y", repeat=1),
        )
    ]
    row = measure(evaluations).rows["agent_gender"]
    (live,) = [
        figures
        for figures in window_figures(transcript_sums_of(pairs_of(evaluations)), DEFAULT)
        if figures.row == "agent_gender"
    ]
    assert live.cfr == row.cfr == 0.04
    assert (live.excess, live.excess_interval, row.excess, row.excess_interval) == (None, None, None, None)
    for field in ("excess", "excess_interval"):
        assert live.reasons[field] == row.reasons[field] == "too few (25 of 50) comparisons"
    assert_live_is_batch(
        window_figures(transcript_sums_of(pairs_of(evaluations)), DEFAULT),
        favoured(attribute_sums_of(pairs_of(evaluations)), DEFAULT),
        evaluations,
        DEFAULT,
    )
