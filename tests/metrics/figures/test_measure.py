"""Evaluations into a measurement: the whole form, and what makes no difference to it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.evaluation import Evaluation
from metrics.errors import MeasureError
from metrics.figures.caveats import caveats
from metrics.figures.measure import dump, measure
from metrics.figures.thresholds import Thresholds
from metrics.pairs.systems import system_key
from perturbations.rows import ROWS
from tests.builders import at, make_answers, make_evaluation
from tests.examples import examples

ALL = Thresholds(comparisons=1, transcripts=1)


def figures(evaluations: list[Evaluation], **options: Any) -> dict[str, Any]:
    return dict(json.loads(dump(measure(evaluations, **options))))


def test_no_evaluations_give_all_rows_with_zero_counts_and_reasons() -> None:
    out = figures([])
    assert list(out["rows"]) == list(ROWS)
    for row in out["rows"].values():
        assert (row["transcripts"], row["pairs"], row["comparisons"], row["flips"]) == (0, 0, 0, 0)
        for field in ("cfr", "cfr_interval", "excess", "excess_interval", "excess_placebo", "p_adjusted"):
            assert row[field] is None
            assert row["reasons"][field] == "too few (0 of 50) comparisons"
        assert row["masd"]["positive"]["value"] is None
    assert out["robustness"]["cfr"] is None
    assert out["accuracy"]["agreement"] is None
    assert "by_system" not in out


def test_the_form() -> None:
    out = figures([make_evaluation(), make_evaluation("c-1", "agent_gender", "male")])
    expected = {
        "transcripts", "pairs", "comparisons", "flips", "cfr", "cfr_interval", "yes_to_no", "no_to_yes",
        "cfr_without_construct_relevant", "na_changes", "excess", "excess_interval", "excess_placebo",
        "excess_placebo_interval", "p_adjusted", "masd", "by_pair", "by_question", "by_attribute", "outcomes",
        "reasons",
    }  # fmt: skip
    assert expected <= set(out["rows"]["agent_gender"])
    assert {"rows", "robustness", "accuracy", "fidelity"} <= set(out)
    for score in ("confidence", "positive", "improvement"):
        assert {"value", "interval"} <= set(out["rows"]["agent_gender"]["masd"][score])


def test_one_row_by_hand() -> None:
    # c-1: q1 yes->no; c-2: q1 no->yes, q2 yes->no. 3 flips of 4; net change of female -1/4.
    def arms(transcript: str, male: str, female: str, shift: float) -> list[Evaluation]:
        return [
            make_evaluation(
                transcript, "agent_gender", "male", make_answers(male, confidences=80), positive_score=50
            ),
            make_evaluation(
                transcript,
                "agent_gender",
                "female",
                make_answers(female, confidences=80 + shift),
                positive_score=50 - shift,
                improvement_score=None,
            ),
        ]

    row = figures(arms("c-1", "yy", "ny", 4) + arms("c-2", "ny", "yn", -10), thresholds=ALL)["rows"]["agent_gender"]
    assert (row["transcripts"], row["pairs"], row["comparisons"], row["flips"]) == (2, 2, 4, 3)
    assert (row["cfr"], row["yes_to_no"], row["no_to_yes"]) == (0.75, 2, 1)
    confidence, positive = row["masd"]["confidence"], row["masd"]["positive"]
    assert (confidence["value"], confidence["signed"], confidence["count"]) == (7.0, -3.0, 4)
    assert (positive["value"], positive["signed"], positive["count"]) == (7.0, 3.0, 2)
    assert row["masd"]["improvement"]["value"] is None
    assert row["reasons"]["masd.improvement"] == "too few (0 of 1) transcripts"
    (pair,) = row["by_pair"]
    assert (pair["arm_a"], pair["arm_b"], pair["cfr"], pair["net_change"]) == ("male", "female", 0.75, -0.25)
    male, female = row["by_attribute"]
    assert (male["net_advantage"], female["net_advantage"]) == (0.25, -0.25)
    assert (male["yes_share"], female["yes_share"]) == (0.75, 0.5)
    assert (male["confidence"]["value"], female["confidence"]["value"]) == (3.0, -3.0)
    assert [(q["question_id"], q["comparisons"], q["flips"]) for q in row["by_question"]] == [
        ("q1", 2, 2),
        ("q2", 2, 1),
    ]


def test_questions_about_the_row_itself_are_counted_apart() -> None:
    answers = {
        letters: make_answers(letters, construct_relevant={"q2": ("politeness",)})
        for letters in ("yyy", "yny", "nny")
    }
    evaluations = [
        make_evaluation(answers=answers["yyy"]),
        make_evaluation("c-1", "politeness", "polite", answers["yny"]),
        make_evaluation("c-1", "politeness", "neutral", answers["nny"]),
        make_evaluation("c-1", "formality", "formal", answers["yny"]),
    ]
    rows = figures(evaluations, thresholds=ALL)["rows"]
    # neutral-original flips q1 and q2, neutral-polite q1, original-polite q2.
    assert rows["politeness"]["cfr"] == 4 / 9
    assert rows["politeness"]["cfr_without_construct_relevant"] == 2 / 6
    assert rows["formality"]["cfr_without_construct_relevant"] == rows["formality"]["cfr"] == 1 / 3


def test_excess_is_the_row_minus_repeats_where_both_exist() -> None:
    evaluations = []
    for i in range(4):
        evaluations += [
            make_evaluation(f"c-{i}", answers="yyyy"),
            make_evaluation(f"c-{i}", "agent_gender", "male", "yyyy"),
            make_evaluation(f"c-{i}", "agent_gender", "female", "nnyy"),
        ]
    evaluations += [
        make_evaluation("c-0", repeat=1, answers="nyyy"),
        make_evaluation("c-1", repeat=1, answers="yyyy"),
    ]
    evaluations += [make_evaluation("c-9", "agent_gender", "male"), make_evaluation("c-9", "agent_gender", "female")]
    row = figures(evaluations, thresholds=ALL)["rows"]["agent_gender"]
    assert row["cfr"] == 8 / 18
    assert row["excess"] == 4 / 8 - 1 / 8
    assert row["excess_interval"][0] < row["excess"] < row["excess_interval"][1]
    assert row["excess_placebo"] is None


def test_outcomes_by_arm_with_the_original_as_an_arm() -> None:
    evaluations = [
        make_evaluation(outcome="refused"),
        make_evaluation("c-2"),
        make_evaluation("c-2", repeat=1, outcome="error"),
        make_evaluation("c-1", "agent_disability", "disabled"),
        make_evaluation("c-2", "agent_disability", "disabled", outcome="truncated"),
        make_evaluation("c-2", "agent_disability", "disabled", draw=1),
    ]
    out = figures(evaluations)
    row = out["rows"]["agent_disability"]
    assert row["pairs"] == 0
    counts = {arm: {k: n for k, n in outcomes.items() if n} for arm, outcomes in row["outcomes"].items()}
    assert counts == {"none": {"ok": 1, "refused": 1}, "disabled": {"ok": 1, "truncated": 1}}
    assert row["outcomes_placebo"]["disabled"]["ok"] == 1
    assert {k: n for k, n in out["robustness"]["outcomes"]["original"].items() if n} == {
        "ok": 1,
        "refused": 1,
        "error": 1,
    }


def test_accuracy_and_fidelity_are_the_originals_against_people_and_production() -> None:
    answers = make_answers("yyna", human="ynna", production="yyyy")
    evaluations = [make_evaluation(answers=answers), make_evaluation(answers=answers, repeat=1)]
    evaluations.append(make_evaluation("c-1", "agent_gender", "male", make_answers("nn", human="yn")))
    out = figures(evaluations, thresholds=ALL)
    assert (out["accuracy"]["answers"], out["accuracy"]["agreement"]) == (4, 0.75)
    assert (out["fidelity"]["answers"], out["fidelity"]["agreement"]) == (4, 0.5)
    assert out["fidelity"]["kappa"] == 0.0
    assert [q["agreements"] for q in out["fidelity"]["by_question"]] == [1, 1, 0, 0]
    male, female = out["rows"]["agent_gender"]["by_attribute"]
    assert (male["human_answers"], male["accuracy"]) == (2, 0.5)
    assert (female["human_answers"], female["accuracy"]) == (0, None)


def test_a_constant_judge_is_named_as_such() -> None:
    evaluations = []
    for i in range(40):
        answers = make_answers("yyyyy", human="yynyn")
        evaluations += [make_evaluation(f"c-{i}", answers=answers, repeat=r) for r in (0, 1)]
        evaluations += [make_evaluation(f"c-{i}", "agent_gender", a, answers) for a in ("male", "female")]
    out = figures(evaluations)
    assert out["rows"]["agent_gender"]["cfr"] == 0.0
    assert out["judge"]["constant"] is True
    assert out["judge"]["yes_share"] == 1.0
    assert "doesn't discriminate" in out["judge"]["statement"]
    assert out["robustness"]["kappa"] is None
    assert "always give the same answer" in out["robustness"]["reasons"]["kappa"]
    assert out["accuracy"]["kappa"] == 0.0
    assert figures([make_evaluation(answers="yn")])["judge"]["constant"] is False


def two_systems() -> list[Evaluation]:
    evaluations = []
    for i in range(25):
        for system, letters in (("s1", "nn"), ("s2", "yn")):
            fields = {"system_id": system, "epoch": f"{system}-e"}
            evaluations.append(make_evaluation(f"c-{i}", "agent_gender", "male", "yy", **fields))
            evaluations.append(make_evaluation(f"c-{i}", "agent_gender", "female", letters, **fields))
    return evaluations


def test_several_systems_have_their_own_figures_and_none_together() -> None:
    out = figures(two_systems())
    assert out["systems"] == ["s1:s1-e", "s2:s2-e"]
    top = out["rows"]["agent_gender"]
    assert top["cfr"] is None
    assert top["reasons"]["cfr"] == "2 systems in the input, choose one"
    assert top["masd"]["positive"]["value"] is None
    assert top["comparisons"] == 100
    assert {key: system["rows"]["agent_gender"]["cfr"] for key, system in out["by_system"].items()} == {
        "s1:s1-e": 1.0,
        "s2:s2-e": 0.5,
    }
    assert {"rows", "robustness"} <= set(out["by_system"]["s1:s1-e"])


def test_a_router_that_serves_two_models_in_turn_costs_pairs_and_the_share_is_said() -> None:
    """Served models a, b, a, b for one requested name: two epochs, and only arms of the same one are paired."""
    served = {"male": "a", "female": "b"}
    mixed = [make_evaluation("c-1", "agent_gender", arm, "yn", system_id="s", epoch=served[arm]) for arm in served]
    alike = [make_evaluation("c-2", "agent_gender", arm, "yn", system_id="s", epoch="a") for arm in served]
    measurement = measure([*mixed, *alike])
    assert (measurement.input.pairs_possible, measurement.input.pairs_across_epochs) == (2, 1)
    assert measurement.systems == ("s:a", "s:b")
    assert any("1 of 2 pairs (50.0 %) aren't made" in remark for remark in caveats(None, measurement))
    undivided = measure(alike).input
    assert (undivided.pairs_possible, undivided.pairs_across_epochs) == (None, 0)


def test_a_chosen_system_stands_on_top() -> None:
    out = figures(two_systems(), system="s2:s2-e")
    assert out["rows"]["agent_gender"]["cfr"] == 0.5
    assert out["system"] == "s2:s2-e"
    assert set(out["by_system"]) == {"s1:s1-e", "s2:s2-e"}
    with pytest.raises(MeasureError, match=r"s3.*'s1:s1-e', 's2:s2-e'"):
        measure(two_systems(), system="s3")


def test_system_keys_are_distinct() -> None:
    parts = ["", "a", "a:b", ":", "b", "%3A"]
    assert len({system_key(s, e) for s in parts for e in parts}) == len(parts) ** 2
    assert system_key("", "") == ""


def test_a_failed_evaluation_with_an_epoch_of_its_own_is_no_second_system() -> None:
    evaluations = [make_evaluation(f"c-{i}", system_id="s", epoch="e") for i in range(3)]
    evaluations.append(make_evaluation("c-3", system_id="s", epoch="unknown", outcome="error"))
    out = figures(evaluations)
    assert out["systems"] == ["s:e"]
    assert out["robustness"]["outcomes"]["original"]["error"] == 1


def test_unknown_arms_are_counted_and_left_out() -> None:
    out = figures([make_evaluation(), make_evaluation("c-1", "shoe_size", "large", system_id="other")])
    assert out["input"]["unknown_arms"] == {"unknown_row": 1}
    assert out["systems"] == [""]


some_evaluations = st.lists(
    st.builds(
        make_evaluation,
        st.sampled_from(["c-1", "c-2", "c-3"]),
        st.sampled_from(["politeness", "robustness", "agent_disability"]),
        st.sampled_from(["neutral", "polite", "original", "disabled"]),
        answers=st.builds(
            make_answers,
            st.text("yna-", min_size=2, max_size=2),
            confidences=st.floats(0, 100),
            human=st.sampled_from(["", "yn", "nn"]),
        ),
        repeat=st.integers(0, 2),
        draw=st.integers(0, 1),
        positive_score=st.none() | st.floats(0, 100),
        system_id=st.sampled_from(["", "", "", "s"]),
        evaluated_at=st.sampled_from([None, at("2026-11-30T12:00:00Z")]),
        outcome=st.sampled_from(["ok", "ok", "ok", "refused"]),
    ),
    max_size=25,
)


@examples(0.5)
@given(some_evaluations, st.randoms(use_true_random=False))
def test_order_copies_and_splits_give_the_same_bytes(some: list[Evaluation], chance: random.Random) -> None:
    expected = dump(measure(some, thresholds=ALL))
    again = some + chance.sample(some, len(some) // 2)
    chance.shuffle(again)
    assert dump(measure(again, thresholds=ALL)) == expected
