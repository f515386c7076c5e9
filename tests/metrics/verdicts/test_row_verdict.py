"""The verdict of a row, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.estimators.interval import Interval
from metrics.verdicts.row_verdict import VERDICTS, Evidence, Excess, Verdict, row_verdicts


def excess(value: float | None, interval: Interval | None, p: float | None, transcripts: int = 100) -> Excess:
    return Excess(value, interval, p, transcripts, None if interval else "too few")


CLEAR = excess(0.06, (0.03, 0.09), 1e-6)
SMALL = excess(0.005, (-0.008, 0.018), 0.4)
WIDE = excess(0.01, (-0.03, 0.05), 0.6)
BELOW = excess(-0.05, (-0.09, -0.01), 0.01)
NO_DATA = excess(None, None, None, 0)


@pytest.mark.parametrize(
    ("over_repeats", "over_placebos", "verdict", "reason", "missing"),
    [
        (CLEAR, CLEAR, "attribute", None, None),
        # More than another wording does, whatever repeats say.
        (SMALL, CLEAR, "attribute", None, None),
        (CLEAR, SMALL, "rewording", None, None),
        (SMALL, SMALL, "none", None, None),
        # Half a width of 0.04 has to come to 0.02 - 0.01 = 0.01: 16 times as many transcripts.
        (CLEAR, WIDE, "unknown", "about 1,500 more transcripts with placebos", 1500),
        (SMALL, WIDE, "unknown", "about 1,500 more transcripts with placebos", 1500),
        (CLEAR, BELOW, "rewording", None, None),
        (SMALL, BELOW, "unknown", "placebos turn more answers than the row does", None),
        (CLEAR, NO_DATA, "unknown", "no placebos", 20),
        (CLEAR, excess(None, None, None, 12), "unknown", "too few", 8),
        (NO_DATA, SMALL, "unknown", "too few", None),
    ],
)
def test_one_row(
    over_repeats: Excess, over_placebos: Excess, verdict: Verdict, reason: str | None, missing: int | None
) -> None:
    (given_verdict,) = row_verdicts({"r": Evidence(over_repeats, over_placebos)}, margin=0.02, least=20).values()
    assert (given_verdict.verdict, given_verdict.reason, given_verdict.missing) == (verdict, reason, missing)


def test_a_p_that_is_small_in_one_row_of_many_is_no_verdict() -> None:
    lucky = Evidence(SMALL, excess(0.015, (0.001, 0.029), 0.03))
    others = {f"r{i}": Evidence(SMALL, SMALL) for i in range(14)}
    assert row_verdicts({"r": lucky}, margin=0.02, least=20)["r"].verdict == "attribute"
    among = row_verdicts({"r": lucky, **others}, margin=0.02, least=20)
    assert among["r"].verdict == "unknown"
    assert among["r"].p_over_placebos == pytest.approx(0.4)
    assert {among[name].verdict for name in others} == {"none"}


figures = st.builds(
    lambda value, below, above, p, n: Excess(value, (value - below, value + above), p, n),
    st.floats(-0.5, 0.5),
    st.floats(0, 0.3),
    st.floats(0, 0.3),
    st.floats(0, 1),
    st.integers(1, 1000),
)


@given(figures | st.just(NO_DATA), figures | st.just(NO_DATA), st.floats(0.001, 0.2))
def test_any_evidence_gives_one_word_and_a_reason_where_it_cannot_tell(
    over_repeats: Excess, over_placebos: Excess, margin: float
) -> None:
    (verdict,) = row_verdicts({"r": Evidence(over_repeats, over_placebos)}, margin=margin, least=20).values()
    assert verdict.verdict in VERDICTS
    assert (verdict.verdict == "unknown") is (verdict.reason is not None)
    assert verdict.missing is None or (verdict.verdict == "unknown" and verdict.missing > 0)
    if over_placebos is NO_DATA:
        assert verdict.verdict == "unknown"
