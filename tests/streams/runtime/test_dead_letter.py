"""What is written about a bad record, and when a worker stops."""

from datetime import UTC, datetime

import pytest

from perturbations.records.errors import RecordError
from streams.runtime.dead_letter import DeadLetterLimit, TooManyDeadLetters, dead_letter
from streams.runtime.stage import Incoming


def test_a_dead_letter_keeps_the_bytes_and_says_where_and_why() -> None:
    incoming = Incoming(b"k", b"\xff\xfe", "autoqa.transcripts.v1", 3, 41, datetime(2026, 1, 1, tzinfo=UTC))
    letter = dead_letter(incoming, "sample", RecordError("not_utf8", "byte 0 is not UTF-8"))
    assert (letter.key, letter.value) == (b"k", b"\xff\xfe")
    assert letter.headers == {
        "topic": b"autoqa.transcripts.v1",
        "partition": b"3",
        "offset": b"41",
        "stage": b"sample",
        "reason": b"not_utf8",
        "detail": b"byte 0 is not UTF-8",
    }


def test_too_many_in_a_row_stop_the_stage() -> None:
    limit = DeadLetterLimit("sample", share=1.0, window=100, consecutive=3)
    limit.bad("null")
    limit.bad("null")
    limit.good()
    limit.bad("null")
    limit.bad("null")
    with pytest.raises(TooManyDeadLetters, match="3 records in a row"):
        limit.bad("null")


def test_too_large_a_share_stops_the_stage_once_the_window_is_full() -> None:
    limit = DeadLetterLimit("sample", share=0.5, window=10, consecutive=100)
    for _ in range(4):
        limit.good()
    for _ in range(5):
        limit.bad("null")
    with pytest.raises(TooManyDeadLetters, match="6 of the last 10"):
        limit.bad("null")
