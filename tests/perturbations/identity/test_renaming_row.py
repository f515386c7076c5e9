from __future__ import annotations

from itertools import combinations

import pytest

from perturbations.data_file import read_rows
from perturbations.draw import Draw
from perturbations.identity.group_cues import Frame, read_frames
from perturbations.identity.name_lists import own_lists
from perturbations.identity.names import DIMENSION_GROUPS
from perturbations.records.edit import Insertion, Replacement, apply_edits, revert_edits
from perturbations.records.transcript import Gender, Person, Speaker, Transcript, Turn
from perturbations.rows import ROWS
from perturbations.source import packaged
from perturbations.text.word import fold
from perturbations.writer import Change, NotApplicable
from tests.variants import written

GROUP_ROWS = ("agent_ethnicity_name", "agent_ethnicity_cues", "agent_religion_name", "agent_religion_cues")
CALL: tuple[tuple[Speaker, str], ...] = (
    ("agent", "Thank you for calling Acme, this is Michael Reyes. How can I help you?"),
    ("customer", "Hi Michael, I lost my card. Is that Mr. Reyes?"),
    ("agent", "I see. I can block it now."),
    ("customer", "Yes, block it."),
    ("agent", "It is blocked. Have a great day!"),
)


def make_transcript(
    *turns: tuple[Speaker, str], identity: str = "c-1", gender: Gender | None = None, name: str | None = None
) -> Transcript:
    spoken = tuple(Turn(speaker=speaker, text=text) for speaker, text in turns or CALL)
    return Transcript(transcript_id=identity, turns=spoken, agent=Person(name=name, gender=gender))


def write(row: str, attribute: str, transcript: Transcript, *, draw: int = 0, attempt: int = 0) -> Change:
    key = Draw(7, transcript.transcript_id, ROWS[row].dimension, attribute, draw, attempt)
    change = written(row, transcript, key)
    assert isinstance(change, Change)
    assert revert_edits(apply_edits(transcript.turns, change.edits), change.edits) == transcript.turns
    return change


def renamed(change: Change) -> dict[str, str]:
    return {edit.before: edit.after for edit in change.edits if isinstance(edit, Replacement)}


@pytest.mark.parametrize("row", ["agent_ethnicity_name", "agent_religion_name"])
def test_first_name_and_surname_of_the_group_in_every_form(row: str) -> None:
    for attribute in ROWS[row].attributes:
        change = write(row, attribute, make_transcript())
        names = renamed(change)
        assert set(names) == {"Michael", "Reyes"}
        assert len(change.edits) == 4
        lists = own_lists()
        assert lists.group_of(fold(names["Michael"]), "first", [attribute]) == attribute
        assert lists.group_of(fold(names["Reyes"]), "last", [attribute]) == attribute


@pytest.mark.parametrize(
    ("gender", "said", "kept"),
    [
        (None, "this is Michael", "male"),
        (None, "this is Mary", "female"),
        ("female", "this is Michael", "female"),
        ("male", "this is Mary", "male"),
        (None, "this is Mrs. Xiomarella Brown", "female"),
    ],
)
def test_the_gender_is_kept(gender: Gender | None, said: str, kept: Gender) -> None:
    for attribute in ROWS["agent_ethnicity_name"].attributes:
        transcript = make_transcript(("agent", f"Hello, {said}, how can I help?"), gender=gender)
        edit = write("agent_ethnicity_name", attribute, transcript).edits[0]
        assert fold(edit.after) in {name.key for name in own_lists().firsts(attribute, kept)}


def test_where_nothing_tells_the_gender_all_arms_and_placebos_share_one() -> None:
    drawn: set[tuple[Gender, ...]] = set()
    genders: tuple[Gender, ...] = ("female", "male")
    for number in range(20):
        transcript = make_transcript(("agent", "hello my name is elisiana how can i help"), identity=f"c-{number}")
        genders_drawn: set[Gender] = set()
        for attribute in ROWS["agent_ethnicity_name"].attributes:
            for draw in (0, 1):
                (edit,) = write("agent_ethnicity_name", attribute, transcript, draw=draw).edits
                for gender in genders:
                    if fold(edit.after) in {name.key for name in own_lists().firsts(attribute, gender)}:
                        genders_drawn.add(gender)
        drawn.add(tuple(sorted(genders_drawn)))
    assert drawn == {("female",), ("male",)}


def test_names_that_both_genders_bear_are_never_drawn() -> None:
    both = {name.key for name in own_lists().names if name.gender == "any" and name.kind == "first"}
    assert both
    for number in range(60):
        transcript = make_transcript(identity=f"c-{number}")
        for draw in (0, 1):
            for attempt in range(4):
                change = write("agent_religion_name", "buddhist", transcript, draw=draw, attempt=attempt)
                assert not {fold(edit.after) for edit in change.edits} & both


def test_titles_stay_with_the_gender() -> None:
    transcript = make_transcript(("agent", "My name is Mrs. Mary Reyes."), ("customer", "Thank you, ma'am."))
    assert set(renamed(write("agent_religion_name", "hindu", transcript))) == {"Mary", "Reyes"}


@pytest.mark.parametrize("dimension", ["agent_ethnicity", "agent_religion"])
def test_cues_add_one_remark_to_the_same_name(dimension: str) -> None:
    for number in range(20):
        transcript = make_transcript(identity=f"c-{number}")
        for attribute in DIMENSION_GROUPS[dimension]:
            names = write(f"{dimension}_name", attribute, transcript).edits
            for attempt in range(4):
                cued = write(f"{dimension}_cues", attribute, transcript, attempt=attempt).edits
                assert cued[:-1] == names
                assert isinstance(cued[-1], Insertion) or cued[-1].before == "day!"


def test_arms_share_frame_and_place() -> None:
    for dimension, file in (("agent_ethnicity", "ethnicity_cues.csv"), ("agent_religion", "religion_cues.csv")):
        frame_of = {row["text"]: row["frame"] for row in read_rows(file)}
        used: set[str] = set()
        for number in range(60):
            transcript = make_transcript(identity=f"c-{number}")
            shared = set()
            for attribute in DIMENSION_GROUPS[dimension]:
                edit = write(f"{dimension}_cues", attribute, transcript).edits[-1]
                shared.add((frame_of[edit.after.removeprefix("day! ")], edit.turn))
            assert len(shared) == 1
            used |= {frame for frame, _ in shared}
        assert used == set(frame_of.values())


def test_arm_and_placebo_share_neither_name_nor_cue() -> None:
    for row, writer_row in ROWS.items():
        if row not in GROUP_ROWS:
            continue
        for attribute in writer_row.attributes:
            arm, placebo = (write(row, attribute, make_transcript(), draw=draw).edits for draw in (0, 1))
            assert not {edit.after for edit in arm} & {edit.after for edit in placebo}


def test_no_two_attributes_give_the_same_text() -> None:
    for row in GROUP_ROWS:
        for number in range(10):
            transcript = make_transcript(identity=f"c-{number}")
            turns = [
                apply_edits(transcript.turns, write(row, attribute, transcript).edits)
                for attribute in ROWS[row].attributes
            ]
            assert all(left != right for left, right in combinations(turns, 2))


def test_a_remark_in_lower_case_speech_has_no_marks() -> None:
    transcript = make_transcript(
        ("agent", "hello this is acme my name is mary how can i help you"),
        ("customer", "i lost my card"),
        ("agent", "okay i can block it"),
        ("customer", "yes"),
        ("agent", "thank you for calling have a great day"),
    )
    for row in ("agent_ethnicity_cues", "agent_religion_cues"):
        for attribute in ROWS[row].attributes:
            for attempt in range(4):
                after = write(row, attribute, transcript, attempt=attempt).edits[-1].after
                assert after == after.lower()
                assert not set(after) & set(",.!?")


def test_frames_name_every_group_and_hold_no_marker_of_another_row() -> None:
    for dimension, file in (("agent_ethnicity", "ethnicity_cues.csv"), ("agent_religion", "religion_cues.csv")):
        own: tuple[Frame, ...] = read_frames(packaged(file), DIMENSION_GROUPS[dimension])
        # Four for the arm and its retries, four for the placebo's, also where there is no farewell.
        assert sum(frame.place == "aside" for frame in own) >= 8
        for frame in own:
            for text in frame.texts.values():
                words = {word.strip(".,").lower() for word in text.split()}
                assert not words & {"please", "thank", "thanks", "sorry", "kindly", "appreciate", "apologize"}
                assert "?" not in text


@pytest.mark.parametrize("row", GROUP_ROWS)
def test_where_it_does_not_apply(row: str) -> None:
    attribute = ROWS[row].attributes[0]
    key = Draw(7, "c-1", ROWS[row].dimension, attribute)
    for text, reason in (("Hello there.", "no_agent_name"), ("My name is [PII].", "name_redacted")):
        transcript = make_transcript(("agent", text), ("customer", "hi"))
        assert written(row, transcript, key) == NotApplicable(reason)
