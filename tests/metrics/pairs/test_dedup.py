"""Which evaluations count."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from evaluators.evaluation import Evaluation
from metrics.pairs.dedup import deduplicate, older_versions
from tests.builders import at, make_evaluation

EARLY, LATE = at("2026-11-30T12:00:00Z"), at("2026-11-30T12:00:01Z")


def test_absent_ids_are_filled() -> None:
    (evaluation,) = deduplicate([make_evaluation()]).evaluations
    assert evaluation.evaluation_id == make_evaluation().with_ids().evaluation_id


def test_exact_copies_are_one_evaluation_and_supersede_nothing() -> None:
    evaluation = make_evaluation()
    result = deduplicate([evaluation, evaluation.with_ids(), evaluation])
    assert len(result.evaluations) == 1
    assert result.superseded_evaluations == 0


def test_the_earlier_of_two_contents_counts() -> None:
    early = make_evaluation(answers="yy", evaluated_at=EARLY)
    late = make_evaluation(answers="nn", evaluated_at=LATE)
    for order in ([early, late], [late, early], [late, early, late]):
        result = deduplicate(order)
        assert result.evaluations == (early.with_ids(),)
        assert result.superseded_evaluations == 1


def test_an_unknown_time_comes_last() -> None:
    known = make_evaluation(answers="yy", evaluated_at=LATE)
    unknown = make_evaluation(answers="nn")
    assert deduplicate([unknown, known]).evaluations == (known.with_ids(),)


def test_at_equal_times_the_smaller_content_hash_counts() -> None:
    contents = [make_evaluation(answers=letters, evaluated_at=EARLY).with_ids() for letters in ("yy", "yn", "nn")]
    expected = min(contents, key=lambda e: e.content_hash())
    assert deduplicate(contents).evaluations == (expected,)
    assert deduplicate(reversed(contents)).evaluations == (expected,)
    assert deduplicate(contents).superseded_evaluations == 2


def test_one_arm_under_two_foreign_ids_is_one_arm() -> None:
    earlier = make_evaluation(evaluation_id="x", answers="yy", evaluated_at=EARLY)
    later = make_evaluation(evaluation_id="y", answers="nn", evaluated_at=LATE)
    result = deduplicate([later, earlier])
    assert result.evaluations == (earlier,)
    assert result.superseded_evaluations == 1


def test_only_the_latest_content_of_a_transcript_counts_within_a_system() -> None:
    old = make_evaluation(transcript_hash="z", received_at=EARLY, system_id="s")
    new = make_evaluation(transcript_hash="a", received_at=LATE, system_id="s")
    elsewhere = make_evaluation(transcript_hash="z", received_at=EARLY, system_id="t")
    result = deduplicate([new, old, elsewhere])
    assert [(e.system_id, e.transcript_hash) for e in result.evaluations] == [("s", "a"), ("t", "z")]
    assert result.transcripts_with_several_versions == ("c-1",)
    assert older_versions([new, old, elsewhere]) == [old.with_ids()]


def test_without_times_the_larger_transcript_hash_is_the_latest() -> None:
    contents = [make_evaluation(transcript_hash=h) for h in ("a", "c", "b")]
    assert [e.transcript_hash for e in deduplicate(contents).evaluations] == ["c"]


def test_two_systems_of_one_transcript_are_no_versions() -> None:
    result = deduplicate([make_evaluation(system_id="s"), make_evaluation(system_id="t")])
    assert len(result.evaluations) == 2
    assert result.transcripts_with_several_versions == ()


evaluations = st.lists(
    st.builds(
        make_evaluation,
        st.sampled_from(["c-1", "c-2"]),
        st.just("agent_gender"),
        st.sampled_from(["male", "female"]),
        answers=st.sampled_from(["yy", "yn"]),
        transcript_hash=st.sampled_from(["", "a", "b"]),
        received_at=st.sampled_from([None, EARLY, LATE]),
        evaluated_at=st.sampled_from([None, EARLY, LATE]),
        system_id=st.sampled_from(["", "s"]),
    ),
    max_size=12,
)


@given(evaluations, st.randoms(use_true_random=False))
def test_order_and_copies_make_no_difference(some: list[Evaluation], chance: random.Random) -> None:
    expected = deduplicate(some)
    shuffled = some + chance.choices(some, k=3) if some else []
    chance.shuffle(shuffled)
    assert deduplicate(shuffled) == expected
    assert deduplicate(expected.evaluations).evaluations == expected.evaluations
