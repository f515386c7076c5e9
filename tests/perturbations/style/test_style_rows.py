"""Communicative style, formality and emotional labour by their rules; what holds for every style row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.draw import Draw
from perturbations.records.edit import Replacement, apply_edits, revert_edits
from perturbations.records.transcript import Transcript
from perturbations.rows import ROWS, rows_of
from perturbations.style.restyle import style_rule
from perturbations.style.style_markers import count_markers, style_markers
from perturbations.text.language import speaks_english
from perturbations.writer import Change, NotApplicable
from tests.builders import make_transcript
from tests.real_transcripts import real_transcripts

STYLE_ROWS = tuple(row.name for row in rows_of("style"))
ARMS = [(row, attribute) for row in STYLE_ROWS for attribute in ROWS[row].attributes if attribute != "original"]
INTENSE = [(row, attribute) for row, attribute in ARMS if attribute != "neutral"]


def change_of(row: str, attribute: str, transcript: Transcript, draw: int = 0) -> Change | NotApplicable:
    return style_rule(ROWS[row])(transcript, Draw(7, transcript.transcript_id, row, attribute, draw))


def possible(row: str, attribute: str, *texts: str) -> set[str | NotApplicable]:
    """What the attribute makes of the last text, an agent's, over many transcripts; the first is a customer's."""
    made: set[str | NotApplicable] = set()
    spoken = [("customer" if index < len(texts) - 1 else "agent", text) for index, text in enumerate(texts)]
    for number in range(60):
        transcript = make_transcript(f"c-{number}", *spoken)
        change = change_of(row, attribute, transcript)
        made.add(
            change if isinstance(change, NotApplicable) else apply_edits(transcript.turns, change.edits)[-1].text
        )
    return made


def markers_of_agent(row: str, transcript: Transcript) -> int:
    return sum(count_markers(row, turn.text) for turn in transcript.turns if turn.speaker == "agent")


@pytest.mark.parametrize(
    ("row", "attribute", "text", "example"),
    [
        ("communicative_style", "neutral", "Tell me your name.", "Can you tell me your name?"),
        ("communicative_style", "neutral", "I need your first name.", "Can I have your first name?"),
        ("communicative_style", "neutral", "So you must wait here.", "So you would need to wait here."),
        ("communicative_style", "direct", "What is your date of birth?", "Tell me your date of birth."),
        ("communicative_style", "direct", "okay and what is the amount", "okay and give me the amount"),
        ("communicative_style", "direct", "Can you tell me your PIN, please?", "Tell me your PIN, please."),
        ("communicative_style", "direct", "Let me just check that.", "I need to check that."),
        ("communicative_style", "direct", "And where are you located?", NotApplicable("nothing_to_restyle")),
        ("formality", "neutral", "I am sorry, but I cannot do that.", "I am sorry, but I can't do that."),
        ("formality", "neutral", "Yes I am. We will send it.", "Yes I am. We'll send it."),
        ("formality", "neutral", "How may I assist you?", "How may I help you?"),
        ("formality", "neutral", "WE WILL SEND IT", "WE'LL SEND IT"),
        ("formality", "neutral", "Thank you and goodbye.", "Thank you and bye."),
        ("formality", "neutral", "I'm doing very well.", NotApplicable("nothing_to_neutralise")),
        ("formality", "formal", "okay we'll send it", "very well we will send it"),
        ("formality", "formal", "Is that OK? Don't you know?", NotApplicable("nothing_to_restyle")),
        ("formality", "formal", "Hi! How can I help?", "Good day! How can I assist?"),
        ("formality", "formal", "I'm sorry, I don't know.", "I'm sorry, I do not know."),
        ("formality", "formal", "thank you have a good day bye bye", "thank you i wish you a good day goodbye"),
        ("emotional_labor", "neutral", "Sorry, but it is closed.", "It is closed."),
        ("emotional_labor", "neutral", "i'm so sorry can you repeat that", "can you repeat that"),
        ("emotional_labor", "neutral", "I'd be more than happy to look into it.", "I can look into it."),
        ("emotional_labor", "neutral", "I'm sorry.", "Okay."),
        ("emotional_labor", "neutral", "oh no, im so sorry to here that", "oh no, okay"),
        ("emotional_labor", "neutral", "Sorry to keep you waiting. Go ahead.", "Go ahead."),
        ("emotional_labor", "empathetic", "im so sorry to here that", "im truly sorry to here that"),
        ("emotional_labor", "neutral", "It's an awesome card.", "It's a good card."),
        ("emotional_labor", "empathetic", "thank you have a good day", "thank you have a truly wonderful day"),
        (
            "emotional_labor",
            "empathetic",
            "This is Ann, how can I help?",
            "This is Ann, it's a pleasure to be here for you. How can I help?",
        ),
        (
            "emotional_labor",
            "empathetic",
            "Unfortunately it is closed.",
            "I'm truly sorry, but unfortunately it is closed.",
        ),
    ],
)
def test_examples(row: str, attribute: str, text: str, example: str | NotApplicable) -> None:
    made = possible(row, attribute, "yes", text)
    assert example in made
    assert text not in made


def test_empathy_answers_what_the_customer_has_just_said() -> None:
    stolen = possible("emotional_labor", "empathetic", "my card was stolen", "Okay, which card was it?")
    assert "I'm truly sorry to hear that. Okay, which card was it?" in stolen
    assert possible("emotional_labor", "empathetic", "i want a new card", "Okay, which card was it?") == {
        NotApplicable("nothing_to_restyle")
    }


@pytest.mark.parametrize(
    ("row", "text", "count"),
    [
        ("politeness", "Could you please wait? please@mail.example says PLEASE", 3),
        ("politeness", "thank you so\nmuch; pleased; aim to please", 1),
        ("politeness", "if you\u2019d like, if you'd like", 2),
        ("communicative_style", "can you tell me? tell me.", 1),
        ("formality", "I cannot assist. Yes I am.", 2),
        ("emotional_labor", "so sorry, truly sorry", 3),
        ("emotional_labor", "", 0),
    ],
)
def test_count_markers(row: str, text: str, count: int) -> None:
    assert count_markers(row, text) == count


@pytest.mark.parametrize("row", STYLE_ROWS)
def test_markers_are_lower_case_distinct_and_counted_one_by_one(row: str) -> None:
    markers = style_markers(row)
    assert len(set(markers)) == len(markers)
    for marker in markers:
        assert marker == marker.lower()
        assert count_markers(row, f"{marker} x") == 1


def test_no_marker_belongs_to_two_rows() -> None:
    for row in STYLE_ROWS:
        for other in STYLE_ROWS:
            if other != row:
                assert not set(style_markers(row)) & set(style_markers(other))


@pytest.mark.parametrize(("row", "attribute"), ARMS)
def test_on_real_transcripts(row: str, attribute: str) -> None:
    for transcript in real_transcripts():
        before = markers_of_agent(row, transcript)
        change = change_of(row, attribute, transcript)
        if isinstance(change, NotApplicable):
            assert attribute != "neutral" or before == 0
            continue
        turns = apply_edits(transcript.turns, change.edits)
        after = transcript.model_copy(update={"turns": turns})
        assert revert_edits(turns, change.edits) == transcript.turns
        assert markers_of_agent(row, after) == 0 < before if attribute == "neutral" else True
        assert attribute == "neutral" or markers_of_agent(row, after) > before
        for other in STYLE_ROWS:
            if other != row:
                assert markers_of_agent(other, after) == markers_of_agent(other, transcript)
        for old, new in zip(transcript.turns, turns, strict=True):
            assert old == new or old.speaker == "agent"
            assert new.text.strip() or not old.text.strip()
            # A turn in lower case stays so.
            assert old.text != old.text.lower() or new.text == new.text.lower()


@pytest.mark.parametrize(("row", "attribute"), INTENSE)
def test_coverage_on_real_transcripts(row: str, attribute: str) -> None:
    changes = [change_of(row, attribute, transcript) for transcript in real_transcripts()]
    assert sum(isinstance(change, Change) for change in changes) >= 0.7 * len(changes)


@pytest.mark.parametrize(("row", "attribute"), ARMS)
def test_a_placebo_is_another_rewording(row: str, attribute: str) -> None:
    seen = 0
    for transcript in real_transcripts():
        first, second = (change_of(row, attribute, transcript, draw) for draw in (0, 1))
        if isinstance(second, Change):
            assert isinstance(first, Change)
            assert first.edits != second.edits
            # As much of the call is reworded, at the same places.
            assert {edit.turn for edit in first.edits} == {edit.turn for edit in second.edits}
            seen += 1
        elif isinstance(first, Change):
            assert second == NotApplicable("no_second_draw")
    assert seen > 0


@pytest.mark.parametrize(
    ("attribute", "text", "expected"),
    [
        ("neutral", "you will please? go", NotApplicable("entangled")),
        ("neutral", "you do not please. go", NotApplicable("entangled")),
        ("polite", "thank you will go", NotApplicable("nothing_to_restyle")),
    ],
)
def test_words_that_would_make_or_break_another_rows_marker_stay(
    attribute: str, text: str, expected: NotApplicable
) -> None:
    assert change_of("politeness", attribute, make_transcript("c-1", ("agent", text))) == expected


PIECES = st.sampled_from(
    [marker for row in STYLE_ROWS for marker in style_markers(row)]
    + [
        "what is the",
        "can you",
        "how can I help you",
        "Hello",
        "okay",
        "I'm",
        "don't",
        "bye",
        "the 42 cards",
        "<unk>",
    ]
)


@given(
    pieces=st.lists(PIECES, min_size=1, max_size=8),
    joint=st.sampled_from([" ", ", ", ". "]),
    case=st.sampled_from([str, str.upper, str.capitalize, str.lower]),
    arm=st.sampled_from(ARMS),
)
def test_words_in_any_order(pieces: list[str], joint: str, case: type[str], arm: tuple[str, str]) -> None:
    row, attribute = arm
    text = case(joint.join(pieces))
    transcript = make_transcript("c-1", ("customer", "it was stolen"), ("agent", text))
    change = change_of(row, attribute, transcript)
    if isinstance(change, NotApplicable):
        return
    turns = apply_edits(transcript.turns, change.edits)
    assert revert_edits(turns, change.edits) == transcript.turns
    assert turns[1].text.strip()
    after = count_markers(row, turns[1].text)
    assert after == 0 if attribute == "neutral" else after > count_markers(row, text)
    for other in STYLE_ROWS:
        if other != row:
            assert count_markers(other, turns[1].text) == count_markers(other, text)


@given(text=st.text(max_size=80), arm=st.sampled_from(ARMS))
def test_any_text_at_all(text: str, arm: tuple[str, str]) -> None:
    transcript = make_transcript("c-1", ("agent", text))
    change = change_of(*arm, transcript)
    if isinstance(change, Change):
        assert revert_edits(apply_edits(transcript.turns, change.edits), change.edits) == transcript.turns


@pytest.mark.parametrize(("row", "attribute"), ARMS)
def test_edits_hold_no_number_and_change_no_case_elsewhere(row: str, attribute: str) -> None:
    for transcript in real_transcripts():
        change = change_of(row, attribute, transcript)
        for edit in change.edits if isinstance(change, Change) else ():
            assert isinstance(edit, Replacement)
            assert not any(character.isdigit() for character in edit.before + edit.after)


@pytest.mark.parametrize("row", STYLE_ROWS)
@pytest.mark.parametrize("language", ["de", "es-MX", "", "deu"])
def test_other_languages_are_left_alone(row: str, language: str) -> None:
    transcript = make_transcript("c-1", ("agent", "please, I'm sorry, tell me, goodbye"), language=language)
    assert change_of(row, "neutral", transcript) == NotApplicable("language")


@pytest.mark.parametrize("language", ["en", "EN-gb", "en_US", "eng", "English"])
def test_names_of_english(language: str) -> None:
    assert speaks_english(language)


@pytest.mark.parametrize(("row", "attribute"), ARMS)
def test_a_two_hour_call(row: str, attribute: str) -> None:
    # How its time grows: tests/test_linear_time.py, benchmarks/linear_time.py.
    turns = [turn for transcript in real_transcripts() for turn in transcript.turns]
    spoken = [(turn.speaker, turn.text) for turn in (turns * 3)[:2000]]
    assert isinstance(change_of(row, attribute, make_transcript("c-1", *spoken)), Change)


@pytest.mark.parametrize(("row", "attribute"), ARMS)
def test_one_very_long_turn(row: str, attribute: str) -> None:
    for piece in ("please ", "so ", "sorry so ", "a ", "can you ", "\u2019", "could you tell "):
        transcript = make_transcript("c-1", ("agent", piece * 800))
        change = change_of(row, attribute, transcript)
        if isinstance(change, Change):
            assert revert_edits(apply_edits(transcript.turns, change.edits), change.edits) == transcript.turns
