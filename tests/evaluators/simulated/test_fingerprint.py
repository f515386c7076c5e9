import re

import pytest

from evaluators.simulated.fingerprint import fingerprint, steady_words
from perturbations.data_file import read_rows
from perturbations.identity.name_lists import own_lists
from perturbations.records.transcript import Speaker, Turn


def make_turns(*texts: tuple[Speaker, str]) -> list[Turn]:
    return [Turn(speaker=speaker, text=text) for speaker, text in texts]


ORIGINAL = make_turns(
    ("agent", "Hello, my name is Michael, how can I help you, sir?"),
    ("customer", "Hi Michael, I'd like to transfer 125 dollars from my savings, please."),
    ("agent", "Sure."),
    ("customer", "Thank you sir. He told me that it's the second one, Mr. Reyes."),
)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (0, "Hey. Maria here. What do you want?"),
        (1, "Hi Maria, I'd like to transfer 125 dollars from my savings, please."),
        (1, "Hi Mary Ann, I'd like to transfer 125 dollars from my savings, please."),
        (1, "hi maria i\N{RIGHT SINGLE QUOTATION MARK}d like to transfer 125 dollars from my savings please"),
        (3, "Thank you ma'am. She told me that it's the second one, Ms. Reyes."),
    ],
)
def test_what_a_counterfactual_touches_leaves_it_alone(place: int, text: str) -> None:
    changed = list(ORIGINAL)
    changed[place] = Turn(speaker=changed[place].speaker, text=text)
    assert fingerprint(changed) == fingerprint(ORIGINAL)


def test_an_inserted_agent_turn_leaves_it_alone() -> None:
    inserted = [ORIGINAL[0], Turn(speaker="agent", text="I use a screen reader."), *ORIGINAL[1:]]
    assert fingerprint(inserted) == fingerprint(ORIGINAL)


@pytest.mark.parametrize("text", ["Hi Michael, I'd like to transfer 126 dollars from my savings.", "No.", ""])
def test_another_conversation_has_another(text: str) -> None:
    changed = [ORIGINAL[0], Turn(speaker="customer", text=text), *ORIGINAL[2:]]
    assert fingerprint(changed) != fingerprint(ORIGINAL)


def test_other_languages_are_known_by_their_lengths() -> None:
    german = make_turns(("agent", "Guten Tag"), ("customer", "Guten Tag Frau Weber"), ("customer", "Ja bitte"))
    renamed = make_turns(("agent", "Guten Tag"), ("customer", "Guten Tag Herr Braun"), ("customer", "Ja bitte"))
    longer = make_turns(("agent", "Guten Tag"), ("customer", "Guten Tag"), ("customer", "Ja bitte"))
    assert fingerprint(german) == fingerprint(renamed)
    assert fingerprint(german) != fingerprint(longer)


def test_no_steady_word_is_a_courtesy_a_title_or_a_pronoun_of_others() -> None:
    touched = (
        "he she him her his hers they them their sir madam ma'am mr mrs ms miss mister please thank thanks sorry"
    )
    assert not steady_words() & set(re.split(r"\s", touched))


def test_no_steady_word_is_a_name_that_is_drawn_or_a_gendered_word() -> None:
    assert not steady_words() & {name.key for name in own_lists().names}
    assert not steady_words() & {
        row[form] for row in read_rows("gender_terms.csv") for form in ("term", "male", "female")
    }
