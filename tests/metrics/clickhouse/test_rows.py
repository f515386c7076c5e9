"""Records as rows: what counts survives, versions order as a measurement does, and nothing unfit gets in."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.evaluation import Evaluation, Notes, Usage
from metrics.clickhouse.rows import (
    PAIR_COLUMNS,
    Unfit,
    evaluation_version,
    evaluations_table,
    pair_of,
    pairs_table,
    variants_table,
)
from metrics.pairs.dedup import precedes
from metrics.pairs.pair import Pair
from perturbations.records.variant import Variant, VariantMessage
from tests.builders import at, make_evaluation, make_pair

moments = st.none() | st.datetimes(datetime(1970, 1, 1), datetime(2199, 12, 31)).map(lambda d: d.replace(tzinfo=UTC))


def column(row: Any, name: str) -> Any:
    return row[evaluations_table().columns.index(name)]


@given(first=moments, second=moments, scores=st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_of_two_contents_the_one_that_precedes_has_the_larger_version(
    first: datetime | None, second: datetime | None, scores: tuple[int, int]
) -> None:
    a = make_evaluation(evaluated_at=first, positive_score=scores[0])
    b = make_evaluation(evaluated_at=second, positive_score=scores[1])
    assert (evaluation_version(a) > evaluation_version(b)) == precedes(a, b)
    assert 0 <= evaluation_version(a) < 2**128


def test_a_microsecond_earlier_is_a_larger_version() -> None:
    first = make_evaluation(evaluated_at=at("2026-11-30T12:00:00.000001Z"))
    second = make_evaluation(evaluated_at=at("2026-11-30T12:00:00.000002Z"))
    assert evaluation_version(first) > evaluation_version(second)


def test_an_evaluations_row_holds_the_record_and_what_is_queried() -> None:
    evaluation = make_evaluation(
        "c-9",
        "agent_gender",
        "female",
        "yn-",
        usage=Usage(input_tokens=7),
        occurred_at=at("2026-11-30T12:00:00+02:00"),
    )
    row = evaluations_table().row(evaluation)
    assert column(row, "answers") == ["yes", "no", None]
    assert column(row, "question_ids") == ["q1", "q2", "q3"]
    assert (column(row, "input_tokens"), column(row, "output_tokens")) == (7, None)
    assert column(row, "evaluation_id") == evaluation.with_ids().evaluation_id
    assert Evaluation.model_validate_json(column(row, "record")) == evaluation.with_ids()


def test_the_judges_words_are_stored_only_where_that_is_wanted() -> None:
    evaluation = make_evaluation(notes=Notes(positives=("private words",)))
    row = evaluations_table().row(evaluation)
    kept = evaluations_table(keep_text=True).row(evaluation)
    assert "private words" not in str(row)
    assert Evaluation.model_validate_json(column(kept, "record")).notes == evaluation.notes
    assert column(row, "version") == column(kept, "version")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"attempts": 2**63}, "attempts is outside what Int64 holds"),
        ({"draw": 2**32}, "draw is outside what UInt32 holds"),
        ({"repeat": 2**40}, "repeat is outside what UInt32 holds"),
        ({"usage": Usage(input_tokens=-(2**63) - 1)}, "input_tokens is outside what Int64 holds"),
        ({"labels": {"team": "private \ud83d"}}, "the record can't be written as JSON: a text in it is no Unicode"),
    ],
)
def test_an_evaluation_that_does_not_fit_says_what_without_its_value(fields: dict[str, Any], reason: str) -> None:
    # model_copy doesn't validate: a record from a careless caller.
    evaluation = make_evaluation().model_copy(update=fields)
    with pytest.raises(Unfit) as failed:
        evaluations_table().row(evaluation)
    assert str(failed.value) == reason


@pytest.mark.parametrize(
    "pair",
    [
        make_pair(),
        make_pair("yna-", "nnya", evaluated_at=at("2026-11-30T12:00:00Z"), labels={"team": ["ä", None, {"x": 1.5}]}),
        make_pair(row="robustness", positive_score=None).model_copy(update={"version": 2**128 - 1}),
    ],
)
def test_a_pair_comes_back_whole(pair: Pair) -> None:
    row = pairs_table().row(pair)
    assert pair_of(row[:-1]) == pair
    assert row[-1] == 0


def test_every_field_of_a_pair_has_its_column() -> None:
    fields = set(Pair.model_fields) - {"judge", "version"}
    assert fields | {"provider", "model", "served_model", "rank"} == set(PAIR_COLUMNS)


def test_at_one_version_a_deletion_is_final_and_a_larger_version_still_counts() -> None:
    pair = make_pair()
    newer = pair.model_copy(update={"version": pair.version + 1})
    rank = PAIR_COLUMNS.index("rank")
    kept, gone, after = pairs_table().row(pair), pairs_table(deleted=True).row(pair), pairs_table().row(newer)
    assert kept[rank] < gone[rank] < after[rank]
    assert (kept[-1], gone[-1]) == (0, 1)


@pytest.mark.parametrize("version", [-1, 2**128])
def test_a_version_out_of_range_does_not_fit(version: int) -> None:
    with pytest.raises(Unfit, match="version is outside what UInt128 holds"):
        pairs_table().row(make_pair().model_copy(update={"version": version}))


def make_message(status: str = "accepted", repeat: int = 0, **fields: Any) -> VariantMessage:
    variant = Variant.model_validate(
        {"transcript_id": "c-1", "row": "agent_gender", "attribute": "female", "status": status}
    )
    return VariantMessage(variant=variant, repeat=repeat, transcript_hash="h", questions=(), **fields)


@pytest.mark.parametrize(
    ("status", "repeat", "expected"),
    [("accepted", 0, 1), ("original", 0, 1), ("original", 4, 5), ("rejected", 0, 0), ("not_applicable", 0, 0)],
)
def test_a_variants_row_says_how_many_evaluations_to_expect(status: str, repeat: int, expected: int) -> None:
    table = variants_table()
    row = table.row(make_message(status, repeat))
    assert row[table.columns.index("repeats")] == expected


def test_of_several_variants_of_an_arm_the_latest_version_then_the_last_repeat_counts() -> None:
    early = at("2026-11-30T12:00:00Z")
    messages = [
        make_message("original", 0),
        make_message("original", 3, received_at=early),
        make_message("original", 1, received_at=early + timedelta(microseconds=1)),
        make_message("original", 2, received_at=early + timedelta(microseconds=1)),
    ]
    versions = [variants_table().row(message)[-1] for message in messages]
    assert versions == sorted(versions)
    assert len(set(versions)) == 4
