"""What several calls took together."""

from __future__ import annotations

from evaluators.calling.call_tally import CallTally
from evaluators.evaluation import Usage
from evaluators.provider import Completion


def test_nothing_asked_is_nothing_known() -> None:
    tally = CallTally()
    assert (tally.requests, tally.latency_seconds, tally.usage) == (0, None, Usage())
    assert (tally.served_model, tally.parameters, tally.request_ids) == (None, {}, ())


def test_requests_add_up_and_the_latency_is_the_last_ones() -> None:
    tally = CallTally()
    tally.count(3, 1.5)
    tally.count(1, 0.25)
    assert (tally.requests, tally.latency_seconds) == (4, 0.25)


def test_tokens_add_up_and_what_any_call_does_not_know_is_unknown() -> None:
    tally = CallTally()
    tally.add_usage(Usage(input_tokens=100, cached_tokens=40, output_tokens=10, reasoning_tokens=0))
    tally.add_usage(Usage(input_tokens=50, cached_tokens=None, output_tokens=5, reasoning_tokens=0))
    tally.add_usage(Usage(input_tokens=1, cached_tokens=1, output_tokens=1, reasoning_tokens=0))
    assert tally.usage == Usage(input_tokens=151, cached_tokens=None, output_tokens=16, reasoning_tokens=0)


def test_who_answered_and_how_is_said_of_all_calls_together() -> None:
    tally = CallTally()
    calls: list[tuple[str, dict[str, float | str], str | None]] = [
        ("m-2", {"mode": "schema", "temperature": 0.5}, "r-1"),
        ("m-1", {"mode": "tool", "temperature": 0.5}, None),
        ("m-2", {"mode": "schema", "temperature": 0.5}, "r-3"),
    ]
    for model, parameters, request_id in calls:
        tally.answered.append(
            Completion("text", "stop", served_model=model, parameters=parameters, request_id=request_id)
        )
    assert tally.served_model == "m-1+m-2"
    assert tally.parameters == {"mode": "schema+tool", "temperature": 0.5}
    assert tally.request_ids == ("r-1", "r-3")
