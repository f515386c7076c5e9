"""Kinds of fault that counterfactual text is known for, on the finished text of the name rows."""

from __future__ import annotations

import re

import pytest

from perturbations.data_file import read_rows
from perturbations.finding.gender_terms import terms
from perturbations.identity.name_lists import own_lists
from perturbations.records.transcript import Person, Speaker, Transcript, Turn
from perturbations.records.variant import Variant
from perturbations.rows import ROWS
from perturbations.text.word import words_of
from tests.variants import make_variant

NAME_ROWS = ("agent_gender", "agent_ethnicity_name", "agent_religion_name")
FIRST = {name.key for name in own_lists().names if name.kind == "first"}
LAST = {name.key for name in own_lists().names if name.kind == "last"}


def make_transcript(*turns: tuple[Speaker, str], agent: str | None = None, customer: str | None = None) -> Transcript:
    spoken = tuple(Turn(speaker=speaker, text=text) for speaker, text in turns)
    return Transcript(transcript_id="c-1", turns=spoken, agent=Person(name=agent), customer=Person(name=customer))


def variants(transcript: Transcript, *rows: str) -> list[Variant]:
    made = [
        make_variant(transcript, ROWS[row], attribute, seed=7)
        for row in rows or NAME_ROWS
        for attribute in ROWS[row].attributes
    ]
    assert {variant.status for variant in made} == {"accepted"}
    return made


def masked(text: str) -> str:
    """The text with every drawn first name as <F> and surname as <L>."""
    for word in reversed(words_of(text)):
        mark = "<F>" if word.key in FIRST else "<L>" if word.key in LAST else None
        if mark is not None:
            text = text[: word.start] + mark + text[word.end :]
    return text


@pytest.mark.parametrize(
    "text",
    [
        "I  don't know, isn't it?\tThey'RE late...",
        "Your order #AB-1234 and #MARY-77 go to mary7 at https://acme.com/mary?x=Mary%20B.",
        "MiXeD CaSe \u2014 caf\u00e9 na\u00efve \u201cquoted\u201d \U0001f600\u00a0nbsp",
        "  leading and trailing  ",
        "line one\nline two\r\nline three",
        "I will be there on May 3rd, mark it; the bill has a grace period.",
    ],
)
def test_text_beside_the_name_stays_byte_for_byte(text: str) -> None:
    transcript = make_transcript(("agent", f"{text} My name is Mary.{text}"), ("customer", text), ("agent", text))
    for variant in variants(transcript):
        (edit,) = variant.edits
        assert variant.turns[0].text == f"{text} My name is {edit.after}.{text}"
        assert variant.turns[1:] == transcript.turns[1:]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Mary speaking, how may I help you?", "<F> speaking, how may I help you?"),
        ("How may I help you? You're speaking with Mary", "How may I help you? You're speaking with <F>"),
        ("Mary", "Mary"),
        ("mary speaking", "<F> speaking"),
        ("Regards,\nMary", "Regards,\n<F>"),
        ("(Mary here)", "(<F> here)"),
        ("\u201cMary\u201d speaking.", "\u201c<F>\u201d speaking."),
    ],
)
def test_a_name_at_the_edge_of_the_text(text: str, after: str) -> None:
    transcript = make_transcript(("agent", "My name is Mary."), ("customer", "hi"), ("agent", text))
    for variant in variants(transcript):
        expected = after.replace("<F>", variant.edits[0].after)
        assert variant.turns[2].text.lower() == expected.lower()


def test_both_genders_in_one_turn_are_set_in_one_pass() -> None:
    transcript = make_transcript(
        ("agent", "My name is Pat."), ("customer", "yes ma'am no sir yes ma'am thank you madam, thanks bro")
    )
    male, female = variants(transcript, "agent_gender")
    assert male.turns[1].text == "yes sir no sir yes sir thank you sir, thanks bro"
    assert female.turns[1].text == "yes ma'am no ma'am yes ma'am thank you madam, thanks sis"


def test_a_new_name_that_holds_the_old_one_is_written_once() -> None:
    # Ann, Anna and Joanna hold one another: what was written is never searched again.
    for name in ("Ann", "Jo", "Al", "Ed", "Lee"):
        transcript = make_transcript(("agent", f"My name is {name}. {name} speaking."), ("customer", f"Hi {name}."))
        for variant in variants(transcript):
            after = variant.edits[0].after
            assert variant.turns[0].text == f"My name is {after}. {after} speaking."
            assert variant.turns[1].text == f"Hi {after}."


def test_the_customer_is_never_changed() -> None:
    transcript = make_transcript(
        ("agent", "My name is Mary Smith. May I have your name?"),
        ("customer", "Yes ma'am, it's Mrs. Mary Jones, and my husband Tom, he and his brother share it."),
        ("agent", "Thank you, Mrs. Jones. Does he, Tom, have her, Mary's, card, ma'am?"),
        ("customer", "He gave her hers, so she has her card and I got him a refund for his girlfriend."),
    )
    for variant in variants(transcript):
        assert masked(variant.turns[0].text).startswith("My name is <F> ")
        assert variant.turns[1].text.endswith(
            "it's Mrs. Mary Jones, and my husband Tom, he and his brother share it."
        )
        assert variant.turns[2:] == transcript.turns[2:]


@pytest.mark.parametrize(
    ("text", "male", "female"),
    [
        ("gave her her card", "gave him his card", "gave her her card"),
        ("She said hers was late and I thanked her.", None, None),
        ("he has his own card and told me himself", None, "she has her own card and told me herself"),
    ],
)
def test_pronouns_in_their_case(text: str, male: str | None, female: str | None) -> None:
    transcript = make_transcript(("agent", "My name is Pat."), ("customer", f"Pat has been great, {text}"))
    first, second = variants(transcript, "agent_gender")
    written = [re.sub(r"^\w+ has been great, ", "", each.turns[1].text) for each in (first, second)]
    assert written[0] == (male or text.replace("She", "He").replace("hers", "his").replace("her.", "him."))
    assert written[1] == (female or text)


@pytest.mark.parametrize("name", ["Go", "You", "Do", "Six", "Mr", "Bank", "Sorry", "Here"])
def test_words_that_are_no_names_are_none(name: str) -> None:
    text = f"Hello, this is {name}. Can you see it?"
    transcript = make_transcript(("agent", text), ("customer", f"Hi {name}."))
    assert make_variant(transcript, ROWS["agent_gender"], "male", seed=7).reason == "no_agent_name"
    assert not any(each.key == name.lower() for each in own_lists().names)


@pytest.mark.parametrize(
    ("said", "letters"), [("Kathryn with a K", "bcdgjkpqtuvwyz"), ("Ann spelled with an A", "aefhilmnorsx")]
)
def test_the_article_before_a_letter_follows(said: str, letters: str) -> None:
    transcript = make_transcript(("agent", f"My name is {said}."), ("customer", "ok"))
    seen: set[str] = set()
    for row in NAME_ROWS:
        for attribute in ROWS[row].attributes:
            for seed in range(12):
                text = make_variant(transcript, ROWS[row], attribute, seed=seed).turns[0].text
                match = re.fullmatch(r"My name is (\w)\w+(?: spelled)? with (an?) (\w)\.", text)
                assert match is not None
                assert match[1] == match[3]
                assert (match[2] == "an") == (match[3].lower() in "aefhilmnorsx")
                seen.add(match[2])
    assert seen == {"a", "an"}
    assert letters


def test_no_term_changes_the_article_before_it() -> None:
    for kind in ("noun", "address", "title"):
        for term, forms in terms(kind).items():
            assert len({form[0] in "aeiou" for form in (term, *forms.values())}) == 1, term


def test_articles_in_what_is_added() -> None:
    for name in ("disability.csv", "ethnicity_cues.csv", "religion_cues.csv"):
        for row in read_rows(name):
            assert not re.search(r"\ba [aeio]\w|\ban [^aeioh]", row["text"], re.IGNORECASE), row["text"]


def test_upper_case_chat_and_noise_marks() -> None:
    transcript = make_transcript(
        ("agent", "[noise] hello <unk> my name is mary [laughter] how can i help"),
        ("customer", "HI MARY I NEED HELP"),
        ("agent", "ok thx u r welcome :)"),
        ("customer", "thanx mary!!1 u rock"),
    )
    for variant in variants(transcript):
        name = variant.edits[0].after
        assert name.islower()
        assert variant.turns[0].text == f"[noise] hello <unk> my name is {name} [laughter] how can i help"
        assert variant.turns[1].text == f"HI {name.upper()} I NEED HELP"
