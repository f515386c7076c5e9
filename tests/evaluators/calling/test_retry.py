from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.calling.retry import MAX_RETRY_AFTER_SECONDS, Backoff, Retries, read_retry_after
from evaluators.errors import AuthError, BadRequest, ModelNotFound, Overloaded, ProviderError, RateLimited
from tests.evaluators.builders import NOON, Sleeps, now


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("171", 171.0),
        ("0.5", 0.5),
        (" 30 ", 30.0),
        ("Mon, 30 Nov 2026 12:02:51 GMT", 171.0),
        ("Mon, 30 Nov 2026 12:02:51 -0000", 171.0),
        ("Mon, 30 Nov 2026 11:59:59 GMT", None),
        ("Mon, 30 Nov 2026 12:00:00 GMT", None),
        ("0", None),
        ("-5", None),
        ("nan", None),
        ("inf", None),
        ("-inf", None),
        ("1e999", None),
        ("soon", None),
        ("", None),
        ("Mon, 99 Nov 2026 12:02:51 GMT", None),
        ("Mon, 30 Nov 99999 12:02:51 GMT", None),
        ("2026-11-30T12:02:51Z", None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert read_retry_after(header, NOON) == seconds


@given(st.text(max_size=60))
def test_any_header_is_a_finite_positive_wait_or_none(header: str) -> None:
    seconds = read_retry_after(header, NOON)
    assert seconds is None or 0 < seconds < float("inf")


@given(st.integers(1, 1_000), st.floats(0, 1, exclude_max=True))
def test_the_own_backoff_grows_is_bounded_and_never_zero(attempt: int, fraction: float) -> None:
    backoff = Backoff(first_seconds=1.0, max_seconds=30.0, fraction=lambda: fraction)
    longest = min(30.0, 2.0 ** (attempt - 1) if attempt < 10 else 30.0)
    assert longest / 2 <= backoff.seconds(attempt, None) <= longest
    assert 171 <= backoff.seconds(attempt, 171.0) <= 172


class Calls:
    """Fails by a script, then gives its result."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.made = list(errors), 0

    async def __call__(self) -> str:
        self.made += 1
        if self.made <= len(self.errors):
            raise self.errors[self.made - 1]
        return "done"


def retries(sleeps: Sleeps, attempts: int = 4) -> Retries:
    return Retries(attempts, Backoff(fraction=lambda: 0.0), now, sleeps)


async def test_the_last_attempt_may_be_the_one_that_works() -> None:
    sleeps, calls = Sleeps(), Calls(Overloaded("a"), RateLimited("b", retry_after="171"), Overloaded("c"))
    assert await retries(sleeps).call(calls) == "done"
    assert (calls.made, sleeps) == (4, [0.5, 171.0, 2.0])


async def test_attempts_are_counted_in_all() -> None:
    sleeps, calls = Sleeps(), Calls(*[Overloaded(str(number)) for number in range(9)])
    with pytest.raises(Overloaded, match="3"):
        await retries(sleeps).call(calls)
    assert (calls.made, len(sleeps)) == (4, 3)


@pytest.mark.parametrize("error", [AuthError("no"), ModelNotFound("no"), BadRequest("no"), ValueError("ours")])
async def test_what_no_wait_cures_is_not_tried_again(error: Exception) -> None:
    sleeps, calls = Sleeps(), Calls(error)
    with pytest.raises(type(error)):
        await retries(sleeps).call(calls)
    assert (calls.made, sleeps) == (1, [])


@pytest.mark.parametrize("header", [str(MAX_RETRY_AFTER_SECONDS + 1), "Tue, 01 Dec 2026 00:00:00 GMT"])
async def test_a_wait_beyond_patience_is_no_wait(header: str) -> None:
    sleeps, calls = Sleeps(), Calls(RateLimited("tomorrow", retry_after=header))
    with pytest.raises(RateLimited):
        await retries(sleeps).call(calls)
    assert (calls.made, sleeps) == (1, [])


@pytest.mark.parametrize("header", ["-5", "nan", "inf", "soon", "0", "Mon, 30 Nov 2026 11:00:00 GMT"])
async def test_a_bad_retry_after_falls_back_to_the_own_backoff(header: str) -> None:
    sleeps, calls = Sleeps(), Calls(RateLimited("x", retry_after=header), RateLimited("x", retry_after=header))
    assert await retries(sleeps).call(calls) == "done"
    assert sleeps == [0.5, 1.0]


def test_every_error_has_a_reason_that_fits_a_label() -> None:
    seen: list[type[ProviderError]] = [ProviderError]
    for kind in seen:
        seen.extend(kind.__subclasses__())
        assert kind.reason.replace("_", "").isalpha()
    assert len(seen) > 8
