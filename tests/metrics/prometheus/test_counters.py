"""A worker's counters: every configured series there from the start, each event counted once, labels bounded."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from evaluators.evaluation import Judge, Usage
from metrics.prometheus.counters import Counters
from perturbations.records.variant import Variant
from perturbations.rows import ROBUSTNESS, ROWS
from tests.builders import make_evaluation, make_pair

MODELS = ("m-1", "m-2")
CHOSEN = ("agent_gender", "politeness")
OUTCOMES = {"ok", "refused", "truncated", "unparsed", "error", "skipped"}
TEXT = "xylophone"


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def counters(registry: CollectorRegistry) -> Counters:
    counters = Counters(registry)
    counters.start(CHOSEN, MODELS)
    return counters


def series(registry: CollectorRegistry) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in registry.collect()
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def changed(
    registry: CollectorRegistry, before: dict[tuple[str, frozenset[tuple[str, str]]], float]
) -> dict[str, float]:
    """What grew since, by the series as Prometheus writes it without quotes."""
    after = series(registry)
    grown = {key: value - before.get(key, 0.0) for key, value in after.items() if value != before.get(key, 0.0)}
    return {
        f"{name.removeprefix('evenhand_')}{{{','.join(f'{k}={v}' for k, v in sorted(labels))}}}": value
        for (name, labels), value in grown.items()
    }


def test_every_configured_series_is_there_at_0(registry: CollectorRegistry, counters: Counters) -> None:
    for outcome in ("sampled", "not_sampled", "in_progress"):
        assert registry.get_sample_value("evenhand_transcripts_total", {"outcome": outcome}) == 0
    for row in CHOSEN:
        for outcome in ("accepted", "retried", "rejected", "not_applicable", "original"):
            assert registry.get_sample_value("evenhand_variants_total", {"row": row, "outcome": outcome}) == 0
    for model in MODELS:
        for row in (*CHOSEN, ROBUSTNESS):
            for outcome in OUTCOMES:
                labels = {"row": row, "outcome": outcome, "model": model}
                assert registry.get_sample_value("evenhand_evaluations_total", labels) == 0
            for name in ("pairs", "comparisons", "flips"):
                assert registry.get_sample_value(f"evenhand_{name}_total", {"row": row, "model": model}) == 0
    assert registry.get_sample_value("evenhand_judge_request_seconds_count") == 0
    assert set(series(registry).values()) == {0.0}


def test_transcripts_variants_and_dead_letters(registry: CollectorRegistry, counters: Counters) -> None:
    before = series(registry)
    counters.transcript("sampled")
    variant = Variant(transcript_id="c-1", row="politeness", attribute="polite", status="accepted")
    counters.variant(variant)
    counters.variant(variant.model_copy(update={"retries": 2}))
    counters.variant(variant.model_copy(update={"status": "not_applicable", "reason": TEXT, "retries": 0}))
    counters.dead_letter("sample", "not_json")
    assert changed(registry, before) == {
        "transcripts_total{outcome=sampled}": 1,
        "variants_total{outcome=accepted,row=politeness}": 2,
        "variants_total{outcome=retried,row=politeness}": 1,
        "variants_total{outcome=not_applicable,row=politeness}": 1,
        "dead_letters_total{reason=not_json,stage=sample}": 1,
    }


def test_an_evaluation_with_its_tokens_and_time(registry: CollectorRegistry, counters: Counters) -> None:
    before = series(registry)
    evaluation = make_evaluation(
        "c-1",
        "agent_gender",
        "male",
        judge=Judge(provider="openai", model="m-1", served_model="m-1-0401"),
        usage=Usage(input_tokens=100, cached_tokens=40, output_tokens=9),
        latency_seconds=3.0,
    )
    counters.evaluation(evaluation)
    counters.evaluation(make_evaluation("c-2", outcome="refused", reason=TEXT, judge=evaluation.judge))
    grown = changed(registry, before)
    buckets = {name for name in grown if "bucket" in name}
    assert {name: value for name, value in grown.items() if name not in buckets} == {
        "evaluations_total{model=m-1,outcome=ok,row=agent_gender}": 1,
        "evaluations_total{model=m-1,outcome=refused,row=robustness}": 1,
        "judge_tokens_total{kind=input,model=m-1}": 100,
        "judge_tokens_total{kind=cached,model=m-1}": 40,
        "judge_tokens_total{kind=output,model=m-1}": 9,
        "judge_request_seconds_count{}": 1,
        "judge_request_seconds_sum{}": 3,
    }
    assert "judge_request_seconds_bucket{le=2.5}" not in buckets
    assert "judge_request_seconds_bucket{le=5.0}" in buckets


def test_money_is_counted_where_the_price_is_known_and_is_no_series_where_it_is_not(
    registry: CollectorRegistry, counters: Counters
) -> None:
    counters.judge("m-1", is_paused=lambda: False, is_priced=True)
    counters.judge("m-2", is_paused=lambda: False, is_priced=False)
    name = "evenhand_judge_cost_dollars_total"
    assert registry.get_sample_value(name, {"model": "m-1"}) == 0
    counters.evaluation(make_evaluation(judge=Judge(model="m-1")), dollars=0.25)
    counters.evaluation(make_evaluation(judge=Judge(model="m-1")))
    counters.evaluation(make_evaluation(judge=Judge(model="m-2")))
    assert registry.get_sample_value(name, {"model": "m-1"}) == 0.25
    assert registry.get_sample_value(name, {"model": "m-2"}) is None


def test_a_model_is_paused_while_any_judge_that_asks_it_is(registry: CollectorRegistry, counters: Counters) -> None:
    paused = {"a": False, "b": False}
    for name in paused:
        counters.judge("m-1", is_paused=lambda name=name: paused[name], is_priced=False)  # type: ignore[misc]
    counters.judge("m-2", is_paused=lambda: False, is_priced=False)

    def seen() -> list[float | None]:
        return [registry.get_sample_value("evenhand_judge_paused", {"model": model}) for model in MODELS]

    assert seen() == [0, 0]
    paused["b"] = True
    assert seen() == [1, 0]
    paused["b"] = False
    assert seen() == [0, 0]


def test_only_the_pairs_of_attributes_and_repeats_count_into_the_rate(
    registry: CollectorRegistry, counters: Counters
) -> None:
    before = series(registry)
    judge = Judge(provider="openai", model="m-2")
    counters.pair(make_pair("yyn", "nyn", row="agent_gender", judge=judge))
    counters.pair(make_pair("yy", "nn", row="agent_gender", arm_a="original", arm_b="male", judge=judge))
    counters.pair(make_pair("yy", "nn", row="agent_gender", arm_a="male", arm_b="male", judge=judge))
    counters.pair(make_pair("ya", "nn", row=ROBUSTNESS, judge=judge))
    assert changed(registry, before) == {
        "pairs_total{model=m-2,row=agent_gender}": 1,
        "comparisons_total{model=m-2,row=agent_gender}": 3,
        "flips_total{model=m-2,row=agent_gender}": 1,
        "pairs_total{model=m-2,row=robustness}": 1,
        "comparisons_total{model=m-2,row=robustness}": 1,
        "flips_total{model=m-2,row=robustness}": 1,
    }


def test_labels_hold_rows_outcomes_and_models_and_nothing_of_the_records(
    registry: CollectorRegistry, counters: Counters
) -> None:
    judge = Judge(provider="openai", model="m-1", served_model=f"served-{TEXT}")
    for n in range(50):
        counters.evaluation(
            make_evaluation(f"{TEXT}-{n}", "politeness", "polite", judge=judge, reason=f"{TEXT}-{n}", system_id=TEXT)
        )
        counters.pair(
            make_pair(transcript_id=f"{TEXT}-{n}", row="politeness", arm_a="polite", arm_b="neutral", judge=judge)
        )
        counters.variant(
            Variant(transcript_id=f"{TEXT}-{n}", row="politeness", attribute="polite", status="rejected", reason=TEXT)
        )
    labels = {label for _, labels_of_series in series(registry) for label in labels_of_series if label[0] != "le"}
    assert not any(TEXT in value for _, value in labels)
    assert {value for name, value in labels if name == "row"} <= {*ROWS, ROBUSTNESS}
    assert {value for name, value in labels if name == "model"} == set(MODELS)
    assert {name for name, _ in labels} == {"row", "model", "outcome"}
