"""Evaluations into pairs."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.evaluation import Answer, Evaluation
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import arm_fault, pair_evaluations, possible_pairs, superseded_pairs
from perturbations.rows import ROWS
from tests.builders import at, make_answers, make_evaluation, make_pair

T0, T1 = at("2026-11-30T12:00:00Z"), at("2026-11-30T12:00:01.000005Z")


def arms(pairs: list[Pair]) -> list[tuple[str, str, str, str]]:
    return [(pair.row, pair.arm_a, pair.arm_b, pair.kind) for pair in pairs]


def test_every_pair_of_attributes_and_the_original_with_each() -> None:
    evaluations = [
        make_evaluation(),
        *(make_evaluation("c-1", "contextual_metadata", a) for a in ("operational", "environment", "technical")),
    ]
    assert arms(pair_evaluations(evaluations)) == [
        ("contextual_metadata", "environment", "technical", "attribute"),
        ("contextual_metadata", "environment", "operational", "attribute"),
        ("contextual_metadata", "technical", "operational", "attribute"),
        ("contextual_metadata", "original", "environment", "original"),
        ("contextual_metadata", "original", "technical", "original"),
        ("contextual_metadata", "original", "operational", "original"),
    ]


def test_the_original_serves_the_attribute_that_is_the_original() -> None:
    evaluations = [
        make_evaluation(answers="yn"),
        make_evaluation("c-1", "politeness", "neutral", "yy"),
        make_evaluation("c-1", "politeness", "polite", "nn"),
        make_evaluation("c-1", "agent_disability", "disabled", "nn"),
    ]
    pairs = pair_evaluations(evaluations)
    assert arms(pairs) == [
        ("agent_disability", "none", "disabled", "attribute"),
        ("politeness", "neutral", "original", "attribute"),
        ("politeness", "neutral", "polite", "attribute"),
        ("politeness", "original", "polite", "attribute"),
    ]
    assert [(pair.yes_to_no, pair.no_to_yes) for pair in pairs] == [(1, 0), (1, 0), (2, 0), (1, 0)]


def test_pairs_that_epochs_keep_apart_are_possible_ones() -> None:
    letters = {"environment": "yy", "technical": "yn", "operational": "nn"}
    evaluations = [
        make_evaluation("c-1", "contextual_metadata", attribute, answers, epoch=epoch)
        for (attribute, answers), epoch in zip(letters.items(), ("e1", "e1", "e2"), strict=True)
    ]
    evaluations += [make_evaluation(epoch="e1"), make_evaluation(repeat=1, epoch="e2")]
    # In one epoch there are one pair of attributes and the original with two; with the other: two, one, the repeats.
    assert possible_pairs(evaluations) == 7
    assert len(pair_evaluations(evaluations)) == 3
    alike = [
        make_evaluation(row="contextual_metadata", attribute=a, outcome=o)
        for a, o in (("technical", "ok"), ("environment", "error"))
    ]
    assert possible_pairs(alike) == len(pair_evaluations(alike)) == 0


def test_in_a_file_without_originals_the_rows_own_evaluation_serves() -> None:
    own = make_evaluation("c-1", "politeness", "original", "yy")
    polite = make_evaluation("c-1", "politeness", "polite", "nn")
    assert arms(pair_evaluations([own, polite])) == [("politeness", "original", "polite", "attribute")]
    (pair,) = pair_evaluations([own, polite, make_evaluation(answers="nn")])
    assert pair.flips == 0


def test_placebo_and_repeats() -> None:
    evaluations = [
        make_evaluation("c-1", "agent_gender", "male", "yn"),
        make_evaluation("c-1", "agent_gender", "male", "nn", draw=1),
        make_evaluation("c-1", "agent_gender", "female", "yy", draw=1),
        *(make_evaluation(repeat=i) for i in (2, 0, 1)),
    ]
    pairs = pair_evaluations(evaluations)
    assert arms(pairs)[:2] == [
        ("agent_gender", "original", "male", "original"),
        ("agent_gender", "male", "male", "placebo"),
    ]
    assert [(p.row, p.kind, p.arm_a, p.arm_b, p.repeat_a, p.repeat_b) for p in pairs[2:]] == [
        ("robustness", "repeat", "original", "original", i, j) for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    assert len({pair.pair_id for pair in pairs}) == len(pairs)


@pytest.mark.parametrize(
    "other",
    [
        {"outcome": "refused"},
        {"epoch": "e2"},
        {"system_id": "s2"},
        {"transcript_hash": "h2"},
        {"transcript_id": "c-2"},
    ],
)
def test_what_is_never_paired(other: dict[str, str]) -> None:
    fields = {"transcript_id": "c-1", "transcript_hash": "h1", "system_id": "s1", "epoch": "e1"}
    a = make_evaluation(row="agent_gender", attribute="male", **fields)
    b = make_evaluation(row="agent_gender", attribute="female", **(fields | other))
    assert pair_evaluations([a, b]) == []


def test_the_sums_of_a_pair() -> None:
    # q1 yes->no, q2 no->yes, q3 same, q4 na->yes, q5 na->na, q6 unparsed: out.
    a = make_answers("ynyaay", confidences=[90, 50, 60, 10, 20, 30], construct_relevant={"q2": ("agent_gender",)})
    b = make_answers("nyyya-", confidences=[80.5, None, 75, 20, 20, 30])
    pair = pair_evaluations(
        [
            make_evaluation("c-1", "agent_gender", "male", a, positive_score=80, improvement_score=None),
            make_evaluation("c-1", "agent_gender", "female", b, positive_score=72.5, improvement_score=10),
        ]
    )[0]
    assert (pair.comparisons, pair.flips, pair.yes_to_no, pair.no_to_yes, pair.na_changes) == (3, 2, 1, 1, 2)
    assert pair.question_ids == ("q1", "q2", "q3", "q4", "q5")
    assert pair.answers_a == ("yes", "no", "yes", "na", "na")
    assert pair.answers_b == ("no", "yes", "yes", "yes", "na")
    assert pair.confidence_differences == (-9.5, None, 15.0, 10.0, 0.0)
    assert pair.construct_relevant == (False, True, False, False, False)
    assert pair.confidence_count == 2
    assert pair.confidence_difference_sum == 5.5
    assert pair.confidence_absolute_difference_sum == 24.5
    assert pair.positive_difference == -7.5
    assert pair.improvement_difference is None


def test_a_question_answered_twice_in_one_evaluation_drops_out() -> None:
    twice = (*make_answers("yn"), Answer(question_id="q1", answer="no"), Answer(question_id="q1", answer="no"))
    pair = pair_evaluations(
        [
            make_evaluation("c-1", "agent_gender", "male", twice),
            make_evaluation("c-1", "agent_gender", "female", "yn"),
        ]
    )[0]
    assert pair.question_ids == ("q2",)


def test_times_and_version() -> None:
    pair = make_pair(a={"evaluated_at": T1}, b={"evaluated_at": T0}, received_at=T0, occurred_at=T1)
    micros, millis = int(T0.timestamp()) * 10**6, int(T0.timestamp()) * 1000
    assert pair.evaluated_at == T1
    assert pair.occurred_at == T1
    assert pair.version == (millis << 64) + 2**64 - 1 - (2 * micros + 1_000_005)
    assert make_pair().version == 2**64 - 1
    assert make_pair().evaluated_at is None
    assert make_pair(b={"evaluated_at": T0}).evaluated_at == T0


def test_a_newer_transcript_version_wins_then_the_earlier_evaluation() -> None:
    old = make_pair(received_at=T0, evaluated_at=T0)
    newer = make_pair(received_at=T1, evaluated_at=T1, transcript_hash="h2")
    later = make_pair(received_at=T0, evaluated_at=T1)
    assert old.pair_id == newer.pair_id == later.pair_id
    assert later.version < old.version < newer.version < 2**128


def test_superseded_pairs_are_those_that_the_newer_content_no_longer_has() -> None:
    def version(received: object, transcript_hash: str, *attributes: str) -> list[Evaluation]:
        return [
            make_evaluation("c-1", "agent_profile", a, received_at=received, transcript_hash=transcript_hash)
            for a in attributes
        ]

    old = version(T0, "h1", "trainee", "professional", "senior_advisor")
    new = version(T1, "h2", "trainee", "professional")
    gone = superseded_pairs(old + new)
    assert arms(gone) == [
        ("agent_profile", "trainee", "senior_advisor", "attribute"),
        ("agent_profile", "professional", "senior_advisor", "attribute"),
    ]
    assert {pair.pair_id for pair in gone} < {pair.pair_id for pair in pair_evaluations(old)}
    assert superseded_pairs(old) == []


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"row": "shoe_size", "attribute": "large"}, "unknown_row"),
        ({"row": "agent_gender", "attribute": "original"}, "unknown_attribute"),
        ({"row": "robustness", "attribute": "male"}, "unknown_attribute"),
        ({"row": "robustness", "attribute": "original", "draw": 1}, "unknown_attribute"),
        ({"row": "agent_gender", "attribute": "male", "draw": 2}, "unknown_repeat"),
        ({"row": "agent_gender", "attribute": "male", "repeat": 1}, "unknown_repeat"),
        ({"row": "agent_gender", "attribute": "male", "draw": 1}, None),
        ({"row": "robustness", "attribute": "original", "repeat": 7}, None),
        ({"row": "politeness", "attribute": "original"}, None),
    ],
)
def test_arms_that_no_row_knows_are_named_and_make_no_pair(fields: dict[str, object], fault: str | None) -> None:
    evaluation = make_evaluation("c-1", **fields)  # type: ignore[arg-type]
    assert arm_fault(evaluation) == fault
    if fault:
        others = [make_evaluation(), make_evaluation("c-1", "agent_gender", "female")]
        assert pair_evaluations([evaluation, *others]) == pair_evaluations(others)


everything = st.lists(
    st.one_of(
        st.builds(make_evaluation, answers=st.text("yna-", min_size=3, max_size=3), repeat=st.integers(0, 2)),
        st.builds(
            make_evaluation,
            st.sampled_from(["c-1", "c-2"]),
            st.just("agent_profile"),
            st.sampled_from(ROWS["agent_profile"].attributes),
            answers=st.text("yna-", min_size=3, max_size=3),
            draw=st.integers(0, 1),
            outcome=st.sampled_from(["ok", "ok", "refused"]),
        ),
    ),
    max_size=14,
)


@given(everything, st.randoms(use_true_random=False))
def test_pairs_are_equation_3_by_brute_force_in_any_order(some: list[Evaluation], chance: random.Random) -> None:
    counted = list(deduplicate(some).evaluations)
    pairs = pair_evaluations(counted)
    expected: list[tuple[int, int]] = []
    for transcript in ("c-1", "c-2"):
        by_attribute = {
            e.attribute: {a.question_id: a.answer for a in e.answers}
            for e in counted
            if (e.transcript_id, e.row, e.draw, e.outcome) == (transcript, "agent_profile", 0, "ok")
        }
        for first, second in combinations([a for a in ROWS["agent_profile"].attributes if a in by_attribute], 2):
            both = [(by_attribute[first][q], by_attribute[second][q]) for q in by_attribute[first]]
            yes_no = [(x, y) for x, y in both if x in ("yes", "no") and y in ("yes", "no")]
            expected.append((len(yes_no), sum(x != y for x, y in yes_no)))
    assert [(p.comparisons, p.flips) for p in pairs if p.kind == "attribute"] == expected
    chance.shuffle(counted)
    assert pair_evaluations(counted) == pairs


@given(everything, st.randoms(use_true_random=False))
def test_pairs_that_some_evaluations_are_in(some: list[Evaluation], chance: random.Random) -> None:
    counted = list(deduplicate(some).evaluations)
    ids = {e.known_id for e in counted if chance.random() < 0.5}
    touched = [pair for pair in pair_evaluations(counted) if {pair.evaluation_a, pair.evaluation_b} & ids]
    assert pair_evaluations(counted, touching=ids) == touched
