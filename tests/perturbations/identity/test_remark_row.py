from __future__ import annotations

import re

import pytest

from perturbations.data_file import read_rows
from perturbations.draw import Draw
from perturbations.records.edit import Insertion, apply_edits, revert_edits
from perturbations.records.transcript import Speaker, Transcript, Turn
from perturbations.text.places import agent_turn_places, is_question
from perturbations.writer import Change, NotApplicable
from tests.variants import written

CALL: tuple[tuple[Speaker, str], ...] = (
    ("agent", "Thank you for calling Acme, this is Mary. How can I help you?"),
    ("customer", "I lost my card."),
    ("agent", "I see. I can block it now."),
    ("customer", "Yes, block it."),
    ("agent", "What is your PIN?"),
    ("customer", "Four two one."),
    ("agent", "It is blocked."),
    ("customer", "Great, bye."),
)


def make_transcript(
    *turns: tuple[Speaker, str], identity: str = "c-1", channel: str | None = "voice", language: str = "en"
) -> Transcript:
    spoken = tuple(Turn(speaker=speaker, text=text) for speaker, text in turns)
    return Transcript(transcript_id=identity, turns=spoken, channel=channel, language=language)


def write(transcript: Transcript, *, draw: int = 0, attempt: int = 0) -> Insertion:
    key = Draw(7, transcript.transcript_id, "agent_disability", "disabled", draw, attempt)
    change = written("agent_disability", transcript, key)
    assert isinstance(change, Change)
    turns = apply_edits(transcript.turns, change.edits)
    assert revert_edits(turns, change.edits) == transcript.turns
    (edit,) = change.edits
    assert isinstance(edit, Insertion)
    return edit


def test_one_agent_turn_at_natural_places() -> None:
    places = {write(make_transcript(*CALL, identity=f"c-{number}")).turn for number in range(200)}
    # Not behind the questions of turns 0 and 4, not before the first turn, not at the goodbye.
    assert places == {2, 3, 4}
    assert write(make_transcript(*CALL)).speaker == "agent"


def test_places_are_beside_the_agent_and_behind_no_question() -> None:
    assert agent_turn_places(make_transcript(*CALL).turns) == [2, 3, 4, 6, 7]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("How may I help you?", True),
        ("hello this is acme my name is mary how can i help you today", True),
        ("and what is the company name", True),
        ("okay is there anything else i can help you with", True),
        ("Right, and your PIN as well please.", True),
        ("okay can you tell me your zip code", True),
        ("Can you wait? I will look it up.", False),
        ("thank you for calling have a great day", False),
        ("my savings account", False),
        ("i would like to pay a bill", False),
    ],
)
def test_is_question(text: str, asks: bool) -> None:
    assert is_question(text) is asks


def test_where_every_turn_asks_it_follows_the_greeting() -> None:
    transcript = make_transcript(("agent", "Hello, who is calling?"), ("customer", "Who are you?"))
    assert write(transcript).turn == 1


def test_a_single_turn() -> None:
    assert write(make_transcript(("agent", "Hello there."))).turn == 1


@pytest.mark.parametrize(
    ("speech", "pattern"),
    [
        ("okay i can do that", r"[a-z' -]+"),
        ("okay, i can do that.", r"[a-z',. -]+"),
        ("OKAY I CAN DO THAT", r"[A-Z',. -]+"),
        ("Okay, I can do that.", r"[A-Z][A-Za-z',. -]+\."),
    ],
)
def test_written_as_the_agent_is(speech: str, pattern: str) -> None:
    for number in range(30):
        transcript = make_transcript(("agent", speech), ("customer", "fine"), identity=f"c-{number}")
        assert re.fullmatch(pattern, write(transcript).after)


def test_arm_and_placebo_never_share_a_phrase() -> None:
    for number in range(30):
        transcript = make_transcript(*CALL, identity=f"c-{number}", channel=None)
        arms = {write(transcript, attempt=attempt).after for attempt in range(4)}
        placebos = {write(transcript, draw=1, attempt=attempt).after for attempt in range(4)}
        assert len(arms) == len(placebos) == 4
        assert not arms & placebos


def test_speech_is_not_mentioned_in_a_chat() -> None:
    heard = ("hear", "stutter", "speech", "voice may", "call")
    for channel in ("chat", None):
        for number in range(60):
            after = write(make_transcript(*CALL, identity=f"c-{number}", channel=channel)).after
            assert not any(word in after for word in heard)


def test_phrases_hold_no_marker_of_another_row() -> None:
    rows = read_rows("disability.csv")
    assert len(rows) >= 12
    markers = (
        r"\b(please|thank\w*|sorry|kindly|appreciate\w*|apologi\w+"
        r"|understand\w*|feel\w*|hope|glad|happy|unfortunate\w*)\b"
    )
    for row in rows:
        assert not re.search(markers, row["text"], re.IGNORECASE), row["text"]
        assert row["kind"] in ("assistive_technology", "speech_trait")
        assert row["source"]
    # Half for the arm with its retries, half for the placebo's, in every channel.
    assert sum(row["channel"] == "any" for row in rows) >= 8


@pytest.mark.parametrize(
    ("transcript", "reason"),
    [
        (make_transcript(("customer", "Hello?"), ("bot", "All lines are busy.")), "no_agent_turn"),
        (make_transcript(("agent", "Hola."), language="es"), "language"),
    ],
)
def test_where_it_does_not_apply(transcript: Transcript, reason: str) -> None:
    key = Draw(7, transcript.transcript_id, "agent_disability", "disabled")
    assert written("agent_disability", transcript, key) == NotApplicable(reason)
