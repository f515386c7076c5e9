"""The politeness row: courtesy formulas in agent turns, taken out or put in."""

from __future__ import annotations

import pytest

from perturbations.draw import Draw
from perturbations.records.edit import apply_edits
from perturbations.rows import ROWS
from perturbations.style.restyle import style_rule
from perturbations.writer import Change, NotApplicable
from tests.builders import make_transcript

write = style_rule(ROWS["politeness"])


def rewrite(text: str, attribute: str, transcript_id: str = "c-1", draw: int = 0) -> str | NotApplicable:
    transcript = make_transcript(transcript_id, ("customer", "please help, thank you so much"), ("agent", text))
    change = write(transcript, Draw(7, transcript_id, "politeness", attribute, draw))
    if isinstance(change, NotApplicable):
        return change
    return apply_edits(transcript.turns, change.edits)[1].text


def possible(text: str, attribute: str) -> set[str | NotApplicable]:
    """What the attribute makes of the text over many transcripts."""
    return {rewrite(text, attribute, f"c-{number}") for number in range(60)}


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("What is your name, please?", {"What is your name?"}),
        ("Please hold on.", {"Hold on."}),
        ("please hold on", {"hold on"}),
        ("Please, hold on. Thanks so much.", {"Hold on. Thanks."}),
        ("Sure, please hold.", {"Sure, hold."}),
        ("your address please and your zip code please", {"your address and your zip code"}),
        ("Your name please, and your zip.", {"Your name, and your zip."}),
        ("COULD YOU PLEASE REPEAT THAT?", {"CAN YOU REPEAT THAT?", "ARE YOU ABLE TO REPEAT THAT?"}),
        ("Could you, please, repeat that?", {"Can you repeat that?", "Are you able to repeat that?"}),
        ("And I'd appreciate it if you could call back.", {"And you can call back."}),
        ("Thank you so much for calling.", {"Thank you for calling."}),
        ("We appreciate your patience.", {"Thank you for your patience."}),
        ("if you\u2019d like we can mail it", {"if you want we can mail it"}),
        ("Please.", {"Okay.", "All right."}),
        ("please please please", {"okay", "all right"}),
        ("Hello.\nPlease wait", {"Hello.\nWait"}),
        ("We aim to please. Please wait.", {"We aim to please. Wait."}),
        ("Write to please@help.example or https://a.example/please please", None),
    ],
)
def test_neutral(text: str, neutral: set[str] | None) -> None:
    expected = neutral or {text.removesuffix(" please")}
    assert possible(text, "neutral") <= expected


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("okay and what is the company name", "okay and could you kindly tell me the company name"),
        ("What's your date of birth?", "Could you please tell me your date of birth?"),
        ("Can you repeat that?", "Could you please repeat that?"),
        ("Can I have your flight ID, please?", "May I have your flight ID, please?"),
        ("Hold on.", "Please hold on."),
        ("thank you for calling have a great day", "thank you very much for calling have a great day"),
        ("Who am I speaking with today?", "May I please ask who I'm speaking with today?"),
        ("HOW CAN I HELP YOU", "HOW MAY I HELP YOU"),
    ],
)
def test_polite(text: str, example: str) -> None:
    wordings = possible(text, "polite")
    assert example in wordings
    assert text not in wordings


@pytest.mark.parametrize(
    "text", ["so you know what is the matter", "The hotel is East", "thanks you too", "we aim to please", "mhm"]
)
def test_nothing_to_make_polite(text: str) -> None:
    assert possible(text, "polite") == {NotApplicable("nothing_to_restyle")}


def test_nothing_to_neutralise_where_only_the_customer_is_polite() -> None:
    assert possible("how can i help you", "neutral") == {NotApplicable("nothing_to_neutralise")}


def test_another_language_is_left_alone() -> None:
    transcript = make_transcript("c-1", ("agent", "please hold on"), language="de")
    assert write(transcript, Draw(7, "c-1", "politeness", "neutral")) == NotApplicable("language")


def test_a_placebo_words_the_same_places_anew() -> None:
    text = "Can you repeat that? And what is your name? Hold on. Thank you."
    for number in range(30):
        arm, placebo = (rewrite(text, "polite", f"c-{number}", draw) for draw in (0, 1))
        assert isinstance(arm, str)
        assert isinstance(placebo, str)
        assert arm != placebo


def test_no_second_draw_where_there_is_one_wording() -> None:
    assert rewrite("Please wait.", "neutral", draw=1) == NotApplicable("no_second_draw")


def test_a_retry_words_it_anew() -> None:
    transcript = make_transcript("c-1", ("agent", "what is your name"))
    seen = set()
    for attempt in range(4):
        change = write(transcript, Draw(7, "c-1", "politeness", "polite", 0, attempt))
        assert isinstance(change, Change)
        seen.add(apply_edits(transcript.turns, change.edits)[0].text)
    assert len(seen) == 2
