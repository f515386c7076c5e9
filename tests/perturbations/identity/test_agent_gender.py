from __future__ import annotations

import pytest

from perturbations.draw import Draw
from perturbations.finding.lexicon import usual_gender
from perturbations.identity.name_lists import own_lists
from perturbations.records.edit import Replacement, apply_edits, revert_edits
from perturbations.records.transcript import Person, Speaker, Transcript, Turn
from perturbations.text.word import fold
from perturbations.writer import Change, NotApplicable
from tests.variants import written


def make_transcript(
    *turns: tuple[Speaker, str], agent: Person | None = None, customer: Person | None = None, language: str = "en"
) -> Transcript:
    return Transcript(
        transcript_id="c-1",
        turns=tuple(Turn(speaker=speaker, text=text) for speaker, text in turns),
        agent=agent or Person(),
        customer=customer or Person(),
        language=language,
    )


def write(transcript: Transcript, attribute: str, *, draw: int = 0, attempt: int = 0) -> Change:
    key = Draw(7, transcript.transcript_id, "agent_gender", attribute, draw, attempt)
    change = written("agent_gender", transcript, key)
    assert isinstance(change, Change)
    turns = apply_edits(transcript.turns, change.edits)
    assert revert_edits(turns, change.edits) == transcript.turns
    return change


def changed(transcript: Transcript, attribute: str) -> list[tuple[str, str]]:
    """What was replaced, the drawn first name shown as NAME, Name or name."""
    names = {each.key for each in own_lists().names if each.kind == "first"}

    def shown(after: str) -> str:
        if fold(after) not in names:
            return after
        return "NAME" if after.isupper() else "name" if after.islower() else "Name"

    edits = write(transcript, attribute).edits
    assert all(isinstance(edit, Replacement) for edit in edits)
    return [(edit.before, shown(edit.after)) for edit in edits if isinstance(edit, Replacement)]


def test_both_attributes_replace_the_name_and_differ() -> None:
    transcript = make_transcript(
        ("agent", "Thank you for calling Acme, my name is Michael."), ("customer", "Hi Michael.")
    )
    after = {
        attribute: [edit.after for edit in write(transcript, attribute).edits] for attribute in ("male", "female")
    }
    for attribute, names in after.items():
        assert len(names) == 2
        assert names[0] == names[1] != "Michael"
        assert usual_gender(fold(names[0])) == attribute
    assert after["male"] != after["female"]


@pytest.mark.parametrize(
    ("customer", "male", "female"),
    [
        ("no sir that's everything thank you so much", [], [("sir", "ma'am")]),
        ("no ma'am that's all for today", [("ma'am", "sir")], []),
        ("Yes, ma\u2019am. That that\u2019s right.", [("ma\u2019am", "sir")], []),
        ("YES SIR", [], [("SIR", "MA'AM")]),
        ("Sir, I have been waiting.", [], [("Sir", "Ma'am")]),
        ("thank you madam", [("madam", "sir")], []),
        ("Thank you, Miss Mary.", [("Miss", "Mister"), ("Mary", "Name")], [("Mary", "Name")]),
        ("Thanks bro! You too!", [], [("bro", "sis")]),
        ("You're such a gentleman, thanks.", [], [("gentleman", "lady")]),
        ("you are a very nice lady", [("lady", "gentleman")], []),
        ("yessir that's right", [], [("yessir", "yes ma'am")]),
    ],
)
def test_terms_that_the_customer_says_to_the_agent(
    customer: str, male: list[tuple[str, str]], female: list[tuple[str, str]]
) -> None:
    transcript = make_transcript(("agent", "Hello, my name is Mary."), ("customer", customer))
    introduction = [("Mary", "Name")]
    assert changed(transcript, "male") == introduction + male
    assert changed(transcript, "female") == introduction + female


@pytest.mark.parametrize(
    "customer",
    [
        "My husband told the sir at the branch about it.",
        "Don't call me ma'am.",
        "She said yes ma'am and hung up.",
        "Sir John Smith",
        "my name is miss wilson and i lost my card",
        "Ma'am? That's what they used to call my 3rd grade teacher. Is this the 1930s again?",
        "Dear Sir or Madam, I write about my card.",
        "Aww man, that's a lot of days.",
        "Man, I can't remember that.",
        "I don't want to miss my friend's wedding.",
        "ever travel you need to follow her because she has the best hacks",
        "My daughter's having her wedding and I gotta give her the money.",
        "That nice lady at the branch, she told me to call.",
        "please tell mr brown that i called",
    ],
)
def test_words_about_others_stay(customer: str) -> None:
    transcript = make_transcript(("agent", "Hello, my name is Mary."), ("customer", customer))
    assert changed(transcript, "male") == [("Mary", "Name")]
    assert changed(transcript, "female") == [("Mary", "Name")]


def test_what_the_agent_says_to_the_customer_stays() -> None:
    transcript = make_transcript(
        ("agent", "Hi. My name is Tanya."),
        ("customer", "Hey, Tanya."),
        ("agent", "Thank you ma'am for asking. Mrs. Miles, may I have your PIN, ma'am?"),
    )
    assert changed(transcript, "male") == [("Tanya", "Name"), ("Tanya", "Name")]


@pytest.mark.parametrize(
    ("agent", "male", "female"),
    [
        (
            "hello my name is miss david how can i help you",
            [("miss", "mister"), ("david", "name")],
            [("david", "name")],
        ),
        (
            "hello this is miss this is miss jennifer from harper valley",
            [("miss", "mister"), ("miss", "mister"), ("jennifer", "name")],
            [("jennifer", "name")],
        ),
        ("I'm Mrs. Mary Brown.", [("Mrs", "Mr"), ("Mary", "Name")], [("Mary", "Name")]),
        ("This is Mary (she/her).", [("Mary", "Name"), ("she", "he"), ("her", "him")], [("Mary", "Name")]),
        (
            "My name is Mary. I'm a mom of two myself.",
            [("Mary", "Name"), ("mom", "dad")],
            [("Mary", "Name")],
        ),
    ],
)
def test_what_the_agent_says_of_themself(
    agent: str, male: list[tuple[str, str]], female: list[tuple[str, str]]
) -> None:
    transcript = make_transcript(("agent", agent), ("customer", "okay"))
    assert changed(transcript, "male") == male
    assert changed(transcript, "female") == female


def test_pronouns_follow_an_agent_who_is_spoken_of_by_name() -> None:
    transcript = make_transcript(
        ("agent", "Hello, my name is Michael."),
        ("customer", "I want to say that Michael was great. He sent me his notes and I thank him."),
        ("agent", "Michael resolved your issue successfully. He also provided a refund."),
    )
    assert changed(transcript, "female") == [
        ("Michael", "Name"),
        ("Michael", "Name"),
        ("He", "She"),
        ("his", "her"),
        ("him", "her"),
        ("Michael", "Name"),
        ("He", "She"),
    ]


def test_her_as_object_and_as_possessive() -> None:
    transcript = make_transcript(
        ("agent", "Hello, my name is Mary."),
        ("customer", "Mary has been wonderful, I told her that her help was hers alone."),
    )
    pairs = [("Mary", "Name"), ("Mary", "Name"), ("her", "him"), ("her", "his"), ("hers", "his")]
    assert changed(transcript, "male") == pairs


def test_the_surname_stays_and_tells_the_group() -> None:
    transcript = make_transcript(
        ("agent", "My name is Michael Gutierrez."), ("customer", "Thank you, Mr. Gutierrez.")
    )
    edits = write(transcript, "female").edits
    assert [edit.before for edit in edits if isinstance(edit, Replacement)] == ["Michael", "Mr"]
    assert own_lists().group_of(fold(edits[0].after), "first", ("hispanic",)) == "hispanic"


def test_the_group_of_the_first_name_is_kept() -> None:
    transcript = make_transcript(("agent", "My name is Priyanka."), ("customer", "ok"))
    for attribute in ("male", "female"):
        after = fold(write(transcript, attribute).edits[0].after)
        assert own_lists().group_of(after, "first", ("south_asian",)) == "south_asian"


def test_the_drawn_name_occurs_nowhere_else() -> None:
    common = [each.name for each in own_lists().firsts("common", "female")]
    transcript = make_transcript(("agent", "My name is Zoe."), ("customer", " ".join(common[1:])))
    assert write(transcript, "female").edits[0].after == common[0]


def test_the_placebo_is_another_name() -> None:
    transcript = make_transcript(("agent", "My name is Zoe."), ("customer", "ok"))
    arms = {write(transcript, "female", attempt=attempt).edits[0].after for attempt in range(4)}
    placebos = {write(transcript, "female", draw=1, attempt=attempt).edits[0].after for attempt in range(4)}
    assert len(arms) == len(placebos) == 4
    assert not arms & placebos


@pytest.mark.parametrize(
    ("transcript", "reason"),
    [
        (make_transcript(("agent", "Hello, how can I help?"), ("customer", "no sir")), "no_agent_name"),
        (make_transcript(("agent", "my name is <unk> how can i help"), ("customer", "hi")), "no_agent_name"),
        (make_transcript(("agent", "My name is [PII], how can I help?"), ("customer", "hi")), "name_redacted"),
        (
            make_transcript(("agent", "This is [NAME]."), ("customer", "Hi."), agent=Person(name="Michael Reyes")),
            "name_redacted",
        ),
        (make_transcript(("agent", "XXXX speaking, how can I help?"), ("customer", "hi")), "name_redacted"),
        (make_transcript(("agent", "Mi nombre es Maria."), ("customer", "hola"), language="es"), "language"),
        (
            make_transcript(("agent", "Hello there."), ("customer", "hi"), agent=Person(name="Michael Reyes")),
            "agent_name_not_said",
        ),
        (
            make_transcript(("agent", "This is Mr. Reyes."), ("customer", "hi"), agent=Person(name="Michael Reyes")),
            "no_first_name",
        ),
    ],
)
def test_where_it_does_not_apply(transcript: Transcript, reason: str) -> None:
    for attribute in ("male", "female"):
        key = Draw(7, transcript.transcript_id, "agent_gender", attribute)
        assert written("agent_gender", transcript, key) == NotApplicable(reason)
