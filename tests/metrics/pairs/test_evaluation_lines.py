"""Lines into evaluations."""

from __future__ import annotations

import json

import pytest

from metrics.pairs.evaluation_lines import read_evaluation, read_evaluations
from perturbations.records.errors import RecordError
from tests.builders import make_evaluation

MINIMAL = b'{"transcript_id":"c-1","row":"agent_gender","attribute":"male","outcome":"ok","answers":[]}'


def test_good_lines_go_on_around_bad_ones() -> None:
    line = make_evaluation().model_dump_json().encode()
    reading = read_evaluations(
        [line, b"\xff\xfe", b"{secret", b"", b"  \n", b'{"row":"secret"}', b"[]", b"null", line + b"\r\n"],
        file="x.jsonl",
    )
    assert reading.evaluations == (make_evaluation(), make_evaluation())
    assert [(bad.number, bad.reason) for bad in reading.bad_lines] == [
        (2, "not_utf8"),
        (3, "not_json"),
        (6, "invalid"),
        (7, "invalid"),
        (8, "invalid"),
    ]
    sentences = [str(bad) for bad in reading.bad_lines]
    assert sentences[0].startswith("x.jsonl:2: not_utf8: ")
    assert not any("secret" in text for text in sentences)


def test_numbers_can_come_with_the_lines() -> None:
    assert [bad.number for bad in read_evaluations([(7, b"{"), (9, MINIMAL), (12, b"[")]).bad_lines] == [7, 12]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert len(read_evaluations([b"\xef\xbb\xbf" + MINIMAL]).evaluations) == 1


def test_nulls_are_fields_that_the_sender_does_not_know() -> None:
    fields = dict.fromkeys(
        ("labels", "usage", "judge", "draw", "system_id", "epoch", "transcript_hash", "evaluation_id")
    )
    assert read_evaluation(json.dumps({**json.loads(MINIMAL), **fields}).encode()) == read_evaluation(MINIMAL)


def test_an_empty_id_is_an_absent_one() -> None:
    raw = json.dumps({**json.loads(MINIMAL), "evaluation_id": ""}).encode()
    assert read_evaluation(raw).evaluation_id is None


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"answers": None}, "answers"),
        ({"outcome": "fine"}, "outcome"),
        ({"transcript_id": None}, "transcript_id"),
        ({"transcript_id": ""}, "transcript_id"),
        ({"transcript_id": 5}, "transcript_id"),
        ({"draw": -1}, "draw"),
        ({"positive_score": 101}, "positive_score"),
        ({"answers": [{"question_id": "q1", "answer": "maybe"}]}, "answers.0.answer"),
        ({"answers": [{"question_id": "q1", "answer": "yes", "confidence": -1}]}, "answers.0.confidence"),
        ({"evaluated_at": "2026-11-30T12:00:00"}, "evaluated_at"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, object], place: str) -> None:
    with pytest.raises(RecordError, match=place) as caught:
        read_evaluation(json.dumps({**json.loads(MINIMAL), **changes}).encode())
    assert caught.value.reason == "invalid"


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"1e999"])
def test_numbers_that_are_none_are_refused(number: bytes) -> None:
    with pytest.raises(RecordError):
        read_evaluation(MINIMAL[:-1] + b',"positive_score":' + number + b"}")
    with pytest.raises(RecordError):
        read_evaluation(MINIMAL[:-1] + b',"draw":null,"positive_score":' + number + b"}")


def test_answers_are_required_for_ok_alone() -> None:
    raw = json.dumps({"transcript_id": "c", "row": "r", "attribute": "a", "outcome": "refused"}).encode()
    assert read_evaluation(raw).answers == ()
