from __future__ import annotations

import pytest

from perturbations.text.utterance import Utterance
from perturbations.text.word import words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Hi, Mary's here.",
            [("Hi", "hi", "hi", ", "), ("Mary", "mary", "mary's", "'s "), ("here", "here", "here", ".")],
        ),
        ("ma\u2019am", [("ma\u2019am", "ma'am", "ma'am", "")]),
        (
            "the girls' bags",
            [("the", "the", "the", " "), ("girls", "girls", "girls", "' "), ("bags", "bags", "bags", "")],
        ),
        ("Rene\u0301e \u00c9L", [("Rene\u0301e", "renee", "renee", " "), ("\u00c9L", "el", "el", "")]),
        (
            "Anne-Marie 12 JOHN4411 a_b x",
            [("Anne-Marie", "anne-marie", "anne-marie", " 12 JOHN4411 a_b "), ("x",) * 3 + ("",)],
        ),
        ("IT\u2019S", [("IT", "it", "it's", "\u2019S")]),
        ("12 !", []),
        ("", []),
    ],
)
def test_words_with_keys_and_with_what_stands_behind(text: str, words: list[tuple[str, str, str, str]]) -> None:
    read = words_of(text)
    assert [(word.text, word.key, word.whole, word.gap) for word in read] == words
    assert all(text[word.start : word.end] == word.text for word in read)


def test_words_and_gaps_are_the_whole_text() -> None:
    text = " - Mary's (old) #4411 card: O\u2019Brien?\n"
    said = Utterance(text)
    assert said.gap_before(0) + "".join(word.text + word.gap for word in said.words) == text
    assert [said.gap_before(index) for index in (1, 2)] == ["'s (", ") #4411 "]


def test_only_blanks_and_an_abbreviations_full_stop_keep_words_close() -> None:
    words = words_of("Mr. Mary  Ann\tSmith, of\nAcme - x")
    assert [word.text for word in words if word.is_close_to_next] == ["Mr", "Mary", "Ann"]


@pytest.mark.parametrize(
    ("text", "cased"), [("Hi mary", True), ("hi mary", False), ("HI MARY 1", False), ("", False)]
)
def test_capitals_tell_something_beside_small_letters_alone(text: str, cased: bool) -> None:
    assert Utterance(text).cased is cased


def test_words_by_number_and_by_place() -> None:
    said = Utterance("hi mary")
    assert [word and word.text for word in map(said.word_at, (-1, 0, 1, 2))] == [None, "hi", "mary", None]
    assert [said.index_from(position) for position in (0, 1, 3, 4)] == [0, 1, 1, 2]
