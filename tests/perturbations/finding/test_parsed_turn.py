"""What a turn tells before anyone has decided who is meant."""

from __future__ import annotations

import pytest

from perturbations.finding.parsed_turn import ParsedTurn, parse_turns
from perturbations.records.transcript import Speaker, Turn


def read(text: str, speaker: Speaker = "agent", *, before: str | None = None) -> ParsedTurn:
    """A turn, after one of the agent's where `before` is given."""
    return ParsedTurn(
        1, Turn(speaker=speaker, text=text), None if before is None else Turn(speaker="agent", text=before)
    )


def test_only_agent_and_customer_are_read_each_with_what_the_other_said_right_before() -> None:
    speakers: tuple[Speaker, ...] = ("bot", "agent", "supervisor", "customer", "other", "customer")
    turns = [Turn(speaker=speaker, text=str(number)) for number, speaker in enumerate(speakers)]
    parsed = parse_turns(turns)
    assert [turn.index for turn in parsed] == [1, 3, 5]
    assert [turn.before for turn in parsed] == [None, turns[1], turns[3]]


@pytest.mark.parametrize(
    ("text", "introductions"),
    [
        ("hello my name is mary ann smith how can i help", [("strong", ("mary", "ann", "smith"))]),
        ("This is Mr. Reyes. It's Michael.", [("weak", ("reyes",)), ("faint", ("michael",))]),
        ("Priya Sharma speaking.", [("strong", ("priya", "sharma"))]),
        ("Thanks,\nMichael", [("weak", ("michael",))]),
        ("My name is [PII].", [("strong", ())]),
        ("this is miss", [("weak", ())]),
        ("This is Intellibank.", []),
    ],
)
def test_introductions(text: str, introductions: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(each.strength, each.keys) for each in read(text).introductions] == introductions


def test_a_customer_signs_nothing() -> None:
    assert read("Thanks,\nMichael", "customer").introductions == ()


def test_the_words_of_an_own_name_with_the_surest_cue_for_it() -> None:
    assert read("it's mary smith, my name is mary").own_names == {1: "faint", 2: None, 6: "strong"}


@pytest.mark.parametrize(
    ("before", "answers"),
    [("May I have your name?", True), ("who am i speaking with", True), ("How are you?", False), (None, False)],
)
def test_an_answer_to_a_question_for_the_name(before: str | None, answers: bool) -> None:
    turn = read("yes it's Mary Jones.", "customer", before=before)
    assert turn.answers_for_name is answers
    assert turn.answer is not None
    assert turn.answer.keys == ("mary", "jones")
    assert not read("May I have your name?", before="May I have your name?").answers_for_name


def test_whom_a_customer_may_call() -> None:
    assert read("hi mary, thank you so much", "customer").called == {"mary", "so"}


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("that's M-A-R-Y", [("spelled", ["m", "a", "r", "y"])]),
        ("a double n a", [("spelled", ["a", "nn", "a"])]),
        ("T as in Tom, O as in Oscar", [("alphabet", ["t", "o"])]),
        ("\u00c9. L. Smith", [("spelled", ["e", "l"])]),
        ("plan b is mary's", []),
    ],
)
def test_spellings(text: str, spellings: list[tuple[str, list[str]]]) -> None:
    assert [(each.form, [item.letters for item in each.items]) for each in read(text).spellings] == spellings


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("Write to me at Priya.Sharma@Example.com.", [("priya.sharma@example.com", "priya.sharma", True)]),
        ("Your address is Ren\u00e9e@example.com?", [("ren\u00e9e@example.com", "renee", False)]),
        ("Best,\nPriya\npriya@example.com", [("priya@example.com", "priya", True)]),
        ("me? ask: a_b@example.com", [("a_b@example.com", "a_b", False)]),
        ("\ufb01n@example.com", [("\ufb01n@example.com", "", False)]),
        ("nothing@here", []),
    ],
)
def test_addresses(text: str, addresses: list[tuple[str, str, bool]]) -> None:
    assert [(each.whole, each.user, each.is_offered) for each in read(text).addresses] == addresses


def test_addresses_that_are_said_aloud() -> None:
    (address,) = read("it's Priya dot sharma at example dot com").spoken_addresses
    assert [(part.start, part.end, part.key) for part in (address.first, address.last)] == [
        (5, 10, "priya"),
        (15, 21, "sharma"),
    ]


@pytest.mark.parametrize(
    ("speaker", "text", "declarations"),
    [
        ("agent", "My pronouns are she and her.", [("she", "subject"), ("her", "object")]),
        ("agent", "(he/him/his)", [("he", "subject"), ("him", "object"), ("his", "possessive")]),
        ("agent", "She and her sister, I'm a mom.", [("mom", "noun")]),
        ("agent", "You're a gentleman.", []),
        ("customer", "You're a gentleman, I'm a mom (she/her).", [("gentleman", "noun")]),
        ("customer", "As a father figure you are a man-hour.", []),
    ],
)
def test_declarations(speaker: Speaker, text: str, declarations: list[tuple[str, str]]) -> None:
    assert [(each.key, each.kind) for each in read(text, speaker).declarations] == declarations


@pytest.mark.parametrize(
    ("text", "vocatives"),
    [
        ("no sir that's all", [("sir", "address", "that")]),
        ("thank you young lady, bye", [("lady", "noun", "")]),
        ("no sir reyes called", [("sir", "address", "reyes")]),
        ("okay miss jane", []),
        ("Ma'am? Is this it?", []),
        ("my name is miss david", []),
    ],
)
def test_vocatives(text: str, vocatives: list[tuple[str, str, str]]) -> None:
    turn = read(text, "customer", before="Are you ok ma'am?")
    assert [(each.word.key, each.word.kind, each.name_behind) for each in turn.vocatives] == vocatives
    assert read(text, "agent", before="Are you ok ma'am?").vocatives == ()


def test_pronouns_and_where_someone_else_comes_up() -> None:
    pronouns = read("Mary was great, she took her time and told her. My son likes her").pronouns
    assert pronouns.others == (0, 11)
    assert [(index, word.key, word.kind) for index, word in pronouns.words] == [
        (3, "she", "subject"),
        (5, "her", "determiner"),
        (9, "her", "object"),
        (13, "her", "object"),
    ]
