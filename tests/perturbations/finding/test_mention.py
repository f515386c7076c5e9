"""Where words of the agent's name stand, whoever is meant, and what stands around them."""

from __future__ import annotations

import pytest

from perturbations.finding.agent_name import AgentName, find_agent_name
from perturbations.finding.mention import Mention, find_mentions
from perturbations.finding.parsed_turn import parse_turns
from perturbations.records.transcript import Person, Turn


def mentions(text: str, *, name: str = "Mary Ann Smith") -> list[Mention]:
    turns = parse_turns([Turn(speaker="customer", text=text)])
    agent = find_agent_name(turns, Person(name=name), Person())
    assert isinstance(agent, AgentName)
    return list(find_mentions(turns, agent))


def mention(text: str, *, name: str = "Mary Ann Smith") -> Mention:
    (only,) = mentions(text, name=name)
    return only


def runs(text: str, *, name: str = "Mary Ann Smith") -> list[tuple[str, str, str]]:
    """Titles, first name with middle names, and surname of each mention, as keys."""
    parts = ((each.titles, each.first_name, each.surname) for each in mentions(text, name=name))
    return [
        (keys[0], keys[1], keys[2]) for keys in ([" ".join(w.key for w in part) for part in three] for three in parts)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mary", [("", "mary", "")]),
        ("Mary Ann Smith and mary smith", [("", "mary ann", "smith"), ("", "mary", "smith")]),
        ("Mary, Ann Smith", [("", "mary", "")]),
        ("Mary Ann, Smith", [("", "mary ann", "")]),
        ("Mary S. called", [("", "mary", "s")]),
        ("mary s", [("", "mary", "")]),
        ("Thanks Mrs. Smith", [("mrs", "", "smith")]),
        ("Dr. miss Mary", [("dr miss", "mary", "")]),
        ("Smith called, and Ann", []),
        ("Mr, Smith", []),
        ("mary_smith MARY12", []),
        ("Mary. Smith is out", [("", "mary", "")]),
    ],
)
def test_runs_of_the_name(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert runs(text) == expected


def test_a_surname_of_several_words_begins_right_behind_its_title() -> None:
    name = "Maria de la Cruz"
    assert runs("Ms. de la Cruz", name=name) == [("ms", "", "de la cruz")]
    assert runs("Ms. de la, Cruz", name=name) == []
    assert runs("de la Cruz", name=name) == []


def test_a_title_at_a_turns_beginning() -> None:
    # The name begins with the first word of the turn: nothing stands before it that could part it from a title.
    assert (mention("Mary Ann").begin, mention("Miss Mary Ann").begin, mention("hi miss mary").begin) == (0, 0, 1)


def test_what_stands_around() -> None:
    named = mention("Well, I told you - Mary's so very kind and good to all of us")
    assert [word.key for word in named.before] == ["well", "i", "told", "you"]
    assert [word.key for word in named.after] == ["so", "very", "kind", "and", "good", "to"]
    assert (named.gap_before, named.mark_before, named.mark_after) == (" - ", "-", "")
    assert (named.is_possessive, named.is_capitalised, named.runs_on, named.starts_sentence) == (
        True,
        True,
        False,
        False,
    )


def test_the_last_mark_before_and_the_first_one_after() -> None:
    named = mention("Ok.) Mary!? yes")
    assert (named.mark_before, named.mark_after) == (")", "!")
    assert mention("ok\nmary\nyes").mark_before == mention("ok\nmary\nyes").mark_after == "\n"
    assert (mention("mary").mark_before, mention("mary").mark_after) == ("", "")


@pytest.mark.parametrize(
    ("text", "starts"),
    [("Mary", True), ("ok. mary", True), ("ok\n- mary", True), ("ok, mary", False), ("ok mary", False)],
)
def test_whether_a_sentence_begins_with_it(text: str, starts: bool) -> None:
    assert mention(text).starts_sentence is starts


def test_a_name_that_the_speaker_gives() -> None:
    given = mention("my name is Mary Smith")
    assert (given.introduced_by, given.is_speakers) == ("strong", True)
    inside = mention("my name is James Mary Jones")
    assert (inside.introduced_by, inside.is_speakers) == (None, True)
    called = mention("hi Mary")
    assert (called.introduced_by, called.is_speakers) == (None, False)


@pytest.mark.parametrize(
    ("text", "letter"),
    [("mary that's m a r y", "m"), ("Mary, \u00c9-V", "e"), ("Mary a plan", ""), ("mary and it's m a", "")],
)
def test_a_spelling_right_behind(text: str, letter: str) -> None:
    assert mention(text).spelled_from == letter


def test_a_hint_at_a_letter() -> None:
    text = "Mary, that's with an M."
    hint = mention(text).hint
    assert hint is not None
    assert (text[hint.start : hint.end], hint.letter) == ("an M", "m")
    assert mention("Mary with me").hint is None
