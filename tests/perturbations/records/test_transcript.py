"""Transcripts as they come in: what is read, what is refused and how that is said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.records.errors import RecordError
from perturbations.records.transcript import Person, Question, Transcript, Turn, read_transcript
from tests.builders import make_transcript
from tests.real_transcripts import real_transcripts

SECRET = "Rumpelstiltskin"
TURNS = [{"speaker": "agent", "text": "hello"}]
QUESTION = {"question_id": "q", "text": "Polite?"}


def raw(**fields: Any) -> bytes:
    return json.dumps({"transcript_id": "c-1", "turns": TURNS, **fields}).encode()


def refusal(record: bytes | None) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_transcript(record)
    return caught.value


def outcome(record: bytes) -> str:
    try:
        read_transcript(record)
    except RecordError as error:
        return error.reason
    return "read"


def test_a_full_record() -> None:
    transcript = read_transcript(
        raw(
            schema_version=1,
            status="in_progress",
            occurred_at="2026-11-30T12:00:00+01:00",
            agent={"name": "Michael Reyes", "gender": "male", "shoe_size": 44},
            questions=[{**QUESTION, "construct_relevant": ["politeness"], "human_answer": "na", "weight": 3}],
            labels={"team": ["a", {"b": None}]},
            something_new={"x": 1},
        )
    )
    assert transcript.status == "in_progress"
    assert transcript.occurred_at is not None
    assert transcript.occurred_at.isoformat() == "2026-11-30T12:00:00+01:00"
    assert transcript.agent == Person(name="Michael Reyes", gender="male")
    assert transcript.questions[0].construct_relevant == ("politeness",)
    assert transcript.labels == {"team": ["a", {"b": None}]}
    assert read_transcript(transcript.model_dump_json().encode()) == transcript


def test_only_the_id_and_the_turns_are_required() -> None:
    transcript = read_transcript(raw())
    assert transcript == Transcript(transcript_id="c-1", turns=(Turn(speaker="agent", text="hello"),))
    assert (transcript.schema_version, transcript.status, transcript.language) == (1, "final", "en")
    assert (transcript.agent, transcript.questions, transcript.labels) == (Person(), (), {})


OPTIONAL = sorted(set(Transcript.model_fields) - {"transcript_id", "turns"})


@pytest.mark.parametrize("field", OPTIONAL)
def test_null_is_the_default(field: str) -> None:
    assert read_transcript(raw(**{field: None})) == read_transcript(raw())


@pytest.mark.parametrize("field", sorted(set(Question.model_fields) - set(QUESTION)))
def test_null_in_a_question_is_the_default(field: str) -> None:
    assert read_transcript(raw(questions=[{**QUESTION, field: None}])) == read_transcript(raw(questions=[QUESTION]))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (None, "null"),
        (b"", "not_json"),
        (b"\xff\xfe", "not_utf8"),
        (b'{"transcript_id": "' + b"\xed\xa0\x80" + b'", "turns": []}', "not_utf8"),
        (b"\x00" * 20, "not_json"),
        (b'{"transcript_id": "c\x00"}', "not_json"),
        (raw() + b" trailing", "not_json"),
        (raw()[:-1], "not_json"),
        (b"[" * 100_000, "not_json"),
        (b'{"transcript_id": "c", "turns": [{"speaker": "agent", "text": "\\ud800"}]}', "not_json"),
        (b'{"transcript_id": "\\udc00", "turns": [{"speaker": "agent", "text": "x"}]}', "not_json"),
        (b"null", "invalid"),
        (b"[]", "invalid"),
        (b"7", "invalid"),
        (b"{}", "invalid"),
        (raw(transcript_id=7), "invalid"),
        (raw(transcript_id=""), "invalid"),
        (raw(transcript_id=None), "invalid"),
        (raw(transcript_id="x" * 501), "invalid"),
        (raw(turns=[]), "invalid"),
        (raw(turns=None), "invalid"),
        (raw(turns="hello"), "invalid"),
        (raw(turns=["hello"]), "invalid"),
        (raw(turns=[{"speaker": "robot", "text": "x"}]), "invalid"),
        (raw(turns=[{"speaker": "agent", "text": None}]), "invalid"),
        (raw(turns=[{"speaker": "agent", "text": 7}]), "invalid"),
        (raw(turns=[{"speaker": "agent"}]), "invalid"),
        (raw(occurred_at="2026-11-30T12:00:00"), "invalid"),
        (raw(occurred_at="yesterday"), "invalid"),
        (raw(occurred_at="1969-12-31T23:59:59Z"), "invalid"),
        (raw(occurred_at="2200-01-01T00:00:00Z"), "invalid"),
        (raw(occurred_at=1e300), "invalid"),
        (raw(agent="Michael"), "invalid"),
        (raw(agent={"gender": "m"}), "invalid"),
        (raw(labels=["x"]), "invalid"),
        (raw(status="partial"), "invalid"),
        (raw(questions=[QUESTION, {**QUESTION, "text": "Kind?"}]), "invalid"),
        (raw(questions=[{**QUESTION, "question_id": ""}]), "invalid"),
        (raw(questions=[{**QUESTION, "human_answer": "maybe"}]), "invalid"),
        (raw(schema_version=2), "unknown_schema_version"),
        (raw(schema_version=0), "unknown_schema_version"),
        (raw(schema_version="1"), "unknown_schema_version"),
        (raw(schema_version=True), "unknown_schema_version"),
        (raw(schema_version=2, turns=None), "unknown_schema_version"),
        (raw(labels={"filler": "x" * 3_000_000}), "too_large"),
        (b"\xff" * 3_000_000, "too_large"),
    ],
)
def test_bad_records(record: bytes | None, reason: str) -> None:
    error = refusal(record)
    assert error.reason == reason
    assert error.detail
    assert str(error) == f"{reason}: {error.detail}"
    assert len(error.detail) < 700


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"turns": [*TURNS, {"speaker": "agent"}]}, "turns.1.text"),
        ({"turns": [{"speaker": "robot", "text": "x"}]}, "'agent', 'customer', 'bot', 'supervisor' or 'other'"),
        ({"agent": {"gender": "m"}}, "agent.gender: Input should be 'male' or 'female'"),
        ({"questions": [QUESTION, QUESTION]}, "question_id must be unique"),
        ({"occurred_at": "2026-11-30T12:00:00"}, "occurred_at: Input should have timezone info"),
        ({"occurred_at": "2200-01-01T00:00:00Z"}, "1970 to 2199"),
        ({"schema_version": 2}, "schema_version must be 1"),
    ],
)
def test_the_error_names_the_place_and_what_is_allowed(fields: dict[str, Any], place: str) -> None:
    assert place in refusal(raw(**fields)).detail


@pytest.mark.parametrize(
    "record",
    [
        f"{SECRET}".encode(),
        f'{{"transcript_id": "{SECRET}'.encode(),
        f'{{"transcript_id": "{SECRET}", "turns": [{{"speaker": "agent", "text": "\\ud800"}}]}}'.encode(),
        SECRET.encode() + b"\xff",
        raw(transcript_id=SECRET * 50),
        raw(transcript_id=[SECRET]),
        raw(turns=SECRET),
        raw(turns=[SECRET]),
        raw(turns=[{"speaker": SECRET, "text": SECRET}] * 9),
        raw(turns=[{"speaker": "agent", SECRET: SECRET}]),
        raw(turns=[{"speaker": "agent", "text": {SECRET: SECRET}}]),
        raw(schema_version=SECRET),
        raw(occurred_at=SECRET),
        raw(agent=SECRET),
        raw(agent={"name": [SECRET], "gender": SECRET}),
        raw(status=SECRET),
        raw(language=[SECRET]),
        raw(labels=[SECRET]),
        raw(questions=SECRET),
        raw(questions=[{"question_id": SECRET, "text": SECRET}] * 2),
        raw(questions=[{**QUESTION, "kind": SECRET, "construct_relevant": {SECRET: 1}, "allow_na": SECRET}]),
    ],
)
def test_no_error_repeats_the_record(record: bytes) -> None:
    error: BaseException | None = refusal(record)
    assert SECRET not in str(error)
    assert SECRET not in repr(error)
    assert error is not None
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


def test_the_size_limit_counts_bytes() -> None:
    record = raw(labels={"filler": "x" * 100})
    assert read_transcript(record, max_bytes=len(record)).transcript_id == "c-1"
    with pytest.raises(RecordError, match=f"has {len(record)} bytes, the limit is {len(record) - 1}"):
        read_transcript(record, max_bytes=len(record) - 1)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(record: bytes) -> None:
    assert outcome(record) in ("read", "not_utf8", "not_json", "invalid", "unknown_schema_version")


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@given(st.fixed_dictionaries({}, optional={field: JSON for field in Transcript.model_fields}))
def test_any_json_is_read_or_refused(fields: dict[str, Any]) -> None:
    assert outcome(json.dumps(fields).encode()) in ("read", "invalid", "unknown_schema_version", "not_json")


def test_a_version_of_the_content_has_its_own_hash() -> None:
    transcript = make_transcript()
    assert transcript.content_hash == make_transcript().content_hash
    others = [
        make_transcript(language="de"),
        make_transcript(labels={"a": 1}),
        make_transcript("c-2"),
        make_transcript("c-1", ("agent", "Hello")),
        make_transcript(agent={"name": "Michael Reyes"}),
    ]
    assert len({transcript.content_hash, *(other.content_hash for other in others)}) == 6


def test_the_carried_dialogues_are_read() -> None:
    transcripts = real_transcripts()
    assert len(transcripts) >= 60
    assert len({transcript.transcript_id for transcript in transcripts}) == len(transcripts)
