"""Ten past scores whose course is what the label says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.context.header_words import Course, own_headers
from perturbations.context.past_performance import past_scores, trend
from perturbations.draw import Draw
from perturbations.rows import ROWS
from perturbations.writer import Change
from tests.builders import make_transcript
from tests.variants import written

ROW = "past_performance"
LABELS = {
    "improving": "Performance trend: Improving performance",
    "worsening": "Performance trend: Worsening performance",
    "stable_excellent": "Performance trend: Stable excellence",
    "stable_medium": "Performance trend: No improvement - medium performance",
    "stable_poor": "Performance trend: No improvement - poor performance",
}
ids = st.text(min_size=1, max_size=20)
attributes = st.sampled_from(ROWS[ROW].attributes)


def draw_for(attribute: str, transcript_id: str = "c-1", draw: int = 0, seed: int = 7) -> Draw:
    return Draw(seed, transcript_id, ROW, attribute, draw)


def course(attribute: str) -> Course:
    of_attribute = own_headers()[ROW].attributes[attribute].course
    assert of_attribute is not None
    return of_attribute


def header(attribute: str, transcript_id: str = "c-1", draw: int = 0) -> str:
    change = written(ROW, make_transcript(transcript_id), draw_for(attribute, transcript_id, draw))
    assert isinstance(change, Change)
    assert change.edits == ()
    assert change.header is not None
    return change.header


@given(attribute=attributes, transcript_id=ids, draw=st.sampled_from((0, 1)))
def test_the_header_holds_ten_scores_and_the_label_on_its_own_line(
    attribute: str, transcript_id: str, draw: int
) -> None:
    lines = header(attribute, transcript_id, draw).splitlines()
    assert LABELS[attribute] in lines
    listed = [line for line in lines if re.search(r": (\d{1,3}, ){9}\d{1,3}$", line)]
    assert len(listed) == 1


@given(transcript_id=ids)
def test_scores_rise_or_fall_as_the_attribute_says(transcript_id: str) -> None:
    rising = past_scores(course("improving"), draw_for("improving", transcript_id))
    falling = past_scores(course("worsening"), draw_for("worsening", transcript_id))
    assert list(rising) == sorted(rising)
    assert rising[-1] - rising[0] >= 10
    assert list(falling) == sorted(falling, reverse=True)
    assert falling[0] - falling[-1] >= 10


@pytest.mark.parametrize(
    ("attribute", "low", "high"), [("stable_excellent", 92, 97), ("stable_medium", 70, 76), ("stable_poor", 45, 55)]
)
@given(transcript_id=ids)
def test_a_stable_history_stays_in_its_band_without_a_trend(
    attribute: str, low: int, high: int, transcript_id: str
) -> None:
    scores = past_scores(course(attribute), draw_for(attribute, transcript_id))
    assert len(scores) == 10
    assert all(low <= score <= high for score in scores)
    assert abs(trend(scores)) <= 0.1
    assert abs(scores[-1] - scores[0]) <= 1


@pytest.mark.parametrize(("scores", "slope"), [((1, 2, 3, 4), 1.0), ((5, 5, 5), 0.0), ((9, 7, 5), -2.0)])
def test_trend(scores: tuple[int, ...], slope: float) -> None:
    assert trend(scores) == pytest.approx(slope)


@given(attribute=attributes, transcript_id=ids)
def test_a_placebo_has_other_scores_under_the_same_label(attribute: str, transcript_id: str) -> None:
    first, second = header(attribute, transcript_id, 0), header(attribute, transcript_id, 1)
    assert first != second
    assert LABELS[attribute] in second.splitlines()


def test_the_arms_of_a_transcript_share_their_layout() -> None:
    for number in range(30):
        layouts = {
            re.sub(r"(\d{2}, ){9}\d{2}", "#", header(attribute, f"c-{number}")).replace(LABELS[attribute], "LABEL")
            for attribute in ROWS[ROW].attributes
        }
        assert len(layouts) == 1


def test_histories_vary_between_transcripts_and_not_between_runs() -> None:
    histories = [header("stable_poor", f"c-{number}") for number in range(50)]
    assert len(set(histories)) > 40
    assert histories == [header("stable_poor", f"c-{number}") for number in range(50)]
