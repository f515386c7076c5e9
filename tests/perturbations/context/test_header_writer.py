"""Header rows whose values are wordings of a data file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.context.header_words import own_headers
from perturbations.context.header_writer import distinct_header
from perturbations.draw import Draw
from perturbations.records.transcript import Transcript
from perturbations.rows import ROWS
from perturbations.writer import Change, NotApplicable
from tests.builders import make_transcript
from tests.variants import written

CONTEXT_ROWS = tuple(row.name for row in ROWS.values() if row.category == "context")
WORDED_ROWS = tuple(name for name in CONTEXT_ROWS if name != "past_performance")
ARMS = [(row, attribute) for row in WORDED_ROWS for attribute in ROWS[row].attributes]


def header_label(row: str, attribute: str) -> str:
    return own_headers()[row].attributes[attribute].label


def header(row: str, attribute: str, transcript: Transcript, draw: int = 0, seed: int = 7) -> str:
    change = written(row, transcript, Draw(seed, transcript.transcript_id, row, attribute, draw))
    assert isinstance(change, Change)
    assert change.edits == ()
    assert change.header is not None
    return change.header


@pytest.mark.parametrize(
    ("row", "attribute", "label"),
    [
        ("agent_profile", "trainee", "Agent role: Trainee\nAgent tenure: 2 weeks"),
        ("agent_profile", "professional", "Agent role: Customer Service Professional\nAgent tenure: 2 years"),
        ("agent_profile", "senior_advisor", "Agent role: Senior Advisor\nAgent tenure: 7 years"),
        (
            "agent_profile",
            "escalation_specialist",
            "Agent role: Senior Escalation Specialist\nAgent tenure: 4 years",
        ),
        ("customer_profile", "vip_platinum", "Customer tier: VIP Platinum, High-Value Account"),
        ("customer_profile", "standard", "Customer tier: Standard"),
        ("customer_profile", "at_risk", "Customer status: At-Risk, Has Threatened to Cancel Service"),
        ("customer_profile", "new_subscriber", "Customer status: New Subscriber, First Contact with Support"),
        ("contextual_metadata", "environment", "Context: Environment (time and weather)"),
        ("contextual_metadata", "technical", "Context: System and technical setup"),
        ("contextual_metadata", "operational", "Context: Operations and queue"),
        ("coaching_priming", "strong", "Coaching history: High positive feedback - strong performance"),
        ("coaching_priming", "mixed", "Coaching history: Mixed feedback - balanced notes"),
        ("coaching_priming", "critical", "Coaching history: Low performance - critical notes"),
        ("coaching_priming", "focused_issue", "Coaching history: Focused issue - specific coaching theme"),
        ("coaching_priming", "no_improvement", "Coaching history: No improvement - neutral note"),
    ],
)
def test_labels(row: str, attribute: str, label: str) -> None:
    assert header_label(row, attribute) == label
    assert set(label.splitlines()) <= set(header(row, attribute, make_transcript()).splitlines())


def test_the_data_file_has_every_attribute_of_every_context_row_and_no_other() -> None:
    for row in CONTEXT_ROWS:
        assert tuple(own_headers()[row].attributes) == ROWS[row].attributes


def test_no_label_line_stands_in_another_attributes_header() -> None:
    for row in WORDED_ROWS:
        for attribute in ROWS[row].attributes:
            lines = set(header(row, attribute, make_transcript()).splitlines())
            for other in ROWS[row].attributes:
                if other != attribute:
                    assert not set(header_label(row, other).splitlines()) <= lines


@given(arm=st.sampled_from(ARMS), transcript_id=st.text(min_size=1, max_size=12))
def test_a_placebo_is_another_header_with_the_same_label(arm: tuple[str, str], transcript_id: str) -> None:
    row, attribute = arm
    transcript = make_transcript(transcript_id)
    first, second = (header(row, attribute, transcript, draw) for draw in (0, 1))
    assert first != second
    assert set(header_label(row, attribute).splitlines()) <= set(second.splitlines())
    assert "{" not in first + second


@pytest.mark.parametrize("row", WORDED_ROWS)
def test_headers_vary_between_transcripts_and_their_layout_not_between_attributes(row: str) -> None:
    headers = [
        {attribute: header(row, attribute, make_transcript(f"c-{number}")) for attribute in ROWS[row].attributes}
        for number in range(40)
    ]
    for attribute in ROWS[row].attributes:
        assert len({each[attribute] for each in headers}) >= 6
    for each in headers:
        firsts = {text.splitlines()[0].partition(":")[0] for text in each.values()}
        lengths = {len(text.splitlines()) for text in each.values()}
        assert len(lengths) == 1
        assert len(firsts) == 1 or row in ("customer_profile", "contextual_metadata")


def test_a_header_does_not_contradict_the_agents_greeting() -> None:
    for greeting, wrong in (("good morning", " PM "), ("Good afternoon", " AM "), ("good  evening", "M on a")):
        for number in range(60):
            transcript = make_transcript(f"c-{number}", ("agent", f"{greeting}, how can I help"))
            assert wrong not in header("contextual_metadata", "environment", transcript)


def test_another_language_is_no_obstacle() -> None:
    transcript = make_transcript("c-1", ("agent", "guten Tag"), language="de")
    assert header("agent_profile", "trainee", transcript)


def test_no_second_draw_where_a_team_gives_one_header_only() -> None:
    draw = Draw(7, "c-1", "agent_profile", "trainee", 1)
    assert distinct_header(lambda key, again: "Agent role: Trainee", draw) == NotApplicable("no_second_draw")
