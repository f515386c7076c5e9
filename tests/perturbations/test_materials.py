"""A user's own names, cues and headers: read, checked with place and reason, and written with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perturbations.context.header_words import own_headers, read_headers
from perturbations.identity.group_cues import GroupCues, read_frames
from perturbations.identity.names import DIMENSION_GROUPS
from perturbations.materials import Sources, own_materials, read_materials
from perturbations.records.edit import Insertion
from perturbations.rows import ROWS, rows_of
from perturbations.source import MaterialsError, Source, packaged
from perturbations.style.style_markers import count_markers
from perturbations.text.word import fold
from perturbations.variant_maker import VariantMaker
from tests.builders import make_transcript
from tests.variants import make_variant, make_variants

STYLE_ROWS = tuple(row.name for row in rows_of("style"))
CALL = make_transcript(
    "c-1",
    ("agent", "Hello, this is Michael Reyes. How can I help you?"),
    ("customer", "I lost my card, Michael."),
    ("agent", "I see. I can block it now."),
    ("customer", "Yes."),
    ("agent", "It is blocked. Have a great day!"),
)
NAMES = """name,kind,gender,group
Aponi,first,female,native_american
Halona,first,female,native_american
Kaya,first,female,native_american
Winona,first,female,native_american
Ahiga,first,male,native_american
Bidziil,first,male,native_american
Kohana,first,male,native_american
Tahoma,first,male,native_american
Begay,last,any,native_american
Tsosie,last,any,native_american
Yazzie,last,any,native_american
Nez,last,any,native_american
"""
DISABILITY = """text,place,channel
I use a talking clock at my desk.,any,any
I work with a foot pedal for the mouse.,any,any
"""
PROFILE = """
[agent_profile]
layouts = ['{{"role": "{role}"}}']
[agent_profile.attributes.trainee]
label = "Trainee"
role = ["trainee"]
[agent_profile.attributes.professional]
label = "Professional"
role = ["professional", "regular agent"]
[agent_profile.attributes.senior_advisor]
label = "Senior"
role = ["senior advisor"]
[agent_profile.attributes.escalation_specialist]
label = "Escalations"
role = ["escalation specialist"]
"""


def named(text: str) -> Sources:
    return Sources(names=Source("n.csv", text))


def disclosed(text: str) -> Sources:
    return Sources(cues={"disability.csv": Source("d.csv", text)})


def told(sources: Sources) -> list[str]:
    with pytest.raises(MaterialsError) as raised:
        read_materials(sources)
    return str(raised.value).splitlines()


def test_what_comes_with_evenhand_is_sound_and_told_apart_from_anything_else() -> None:
    own = own_materials()
    assert own == read_materials(Sources())
    assert len(own.hash) == 32
    assert read_materials(named(NAMES)).hash != own.hash
    assert read_materials(named(NAMES)).hash != read_materials(named(NAMES.replace("Winona", "Talise"))).hash


@pytest.mark.parametrize("row", STYLE_ROWS)
def test_own_remarks_hold_no_more_of_a_style_in_one_group_than_in_another(row: str) -> None:
    own = own_materials()
    cues = [own.cues["ethnicity_cues.csv"], own.cues["religion_cues.csv"]]
    frames = [frame for each in cues if isinstance(each, GroupCues) for frame in each.frames]
    assert len(frames) >= 16
    for frame in frames:
        assert len({count_markers(row, text) for text in frame.texts.values()}) == 1


def test_own_names_replace_their_groups_and_no_others() -> None:
    lists = read_materials(named(NAMES)).names
    assert {name.name for name in lists.lasts("native_american")} == {"Begay", "Tsosie", "Yazzie", "Nez"}
    assert lists.lasts("black") == own_materials().names.lasts("black")
    maker = VariantMaker(read_materials(named(NAMES)))
    variant = make_variant(CALL, ROWS["agent_ethnicity_name"], "native_american", seed=7, maker=maker)
    assert {fold(edit.after) for edit in variant.edits} <= {line.split(",")[0].lower() for line in NAMES.split("\n")}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "n.csv, line 1: the column name is missing; the columns are name, kind, gender, group and, if wanted"),
        ("name,kind,gender\n", "n.csv, line 1: the column group is missing"),
        ("name,kind,gender,group,age\n", "n.csv, line 1: no column may be called 'age'; the columns are"),
        (NAMES + "Ann,first,female\n", "n.csv, line 14: a row needs 4 values"),
        (NAMES + "Ann,first,female,black,1,2\n", "n.csv, line 14: a row needs 4 values"),
        (NAMES + "Ann,middle,female,white\n", "n.csv, line 14: kind is 'middle', allowed are first, last"),
        (NAMES + "Ann,first,f,white\n", "n.csv, line 14: gender is 'f', allowed are female, male, any"),
        (NAMES + "Ann,first,female,martian\n", "n.csv, line 14: group is 'martian', allowed are hispanic, black"),
        (NAMES + "Garcia,last,any,native_american\n", "two groups of agent_ethnicity"),
        (NAMES + "Winona,first,male,native_american\n", "n.csv, line 14: Winona stands under two genders"),
        (NAMES + "Will,first,male,native_american\n", "n.csv, line 14: Will (native_american) is an ordinary word"),
        (
            NAMES + "Two Moons,last,any,native_american\n",
            "n.csv, line 14: Two Moons (native_american) is not one word",
        ),
        (NAMES.replace("Nez,last,any,native_american\n", ""), "n.csv: native_american has 3 surnames, at least 4"),
    ],
)
def test_names_that_are_refused(text: str, fault: str) -> None:
    assert any(fault in line for line in told(named(text)))


def test_a_leak_into_a_group_that_comes_with_evenhand_names_the_users_line() -> None:
    taken = own_materials().names.lasts("black")[0].name
    (line,) = told(named(f"{NAMES}{taken},last,any,native_american\n"))
    assert line.startswith(f"n.csv, line 14: {taken} (last) stands in two groups of agent_ethnicity: ")
    assert "native_american and black (the list that comes with evenhand)" in line


def test_every_fault_of_a_file_is_told() -> None:
    lines = told(named(NAMES + "Will,first,male,native_american\nGrace,first,female,native_american\n"))
    assert [line.split(":")[0] for line in lines] == ["n.csv, line 14", "n.csv, line 15"]


def test_numbers_of_bearers_and_quoted_sources_are_read() -> None:
    text = NAMES.replace("group\n", "group,bearers,source\n").replace("american\n", 'american,12,"a, b"\n')
    lists = read_materials(named("\ufeff" + text.replace("\n", "\r\n"))).names
    assert {(name.bearers, name.source) for name in lists.lasts("native_american")} == {(12, "a, b")}
    assert told(named(text.replace(",12,", ",many,")))[0].startswith("n.csv, line 2: bearers is 'many'")


def test_own_disability_cues_replace_all_and_the_placebo_is_another() -> None:
    maker = VariantMaker(read_materials(disclosed(DISABILITY)))
    texts = set()
    for draw in (0, 1):
        (edit,) = make_variant(CALL, ROWS["agent_disability"], "disabled", seed=7, draw=draw, maker=maker).edits
        assert isinstance(edit, Insertion)
        texts.add(edit.after)
    assert texts == {"I use a talking clock at my desk.", "I work with a foot pedal for the mouse."}
    first_remark = "".join(line + "\n" for line in DISABILITY.splitlines()[:2])
    maker = VariantMaker(read_materials(disclosed(first_remark)))
    variants = [
        make_variant(CALL, ROWS["agent_disability"], "disabled", seed=7, draw=draw, maker=maker) for draw in (0, 1)
    ]
    assert [(variant.status, variant.reason) for variant in variants] == [
        ("accepted", None),
        ("not_applicable", "no_second_draw"),
    ]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("I use a screen reader.,late,any", "d.csv, line 4: place is 'late', allowed are early, any"),
        ("I use a screen reader.,any,", "d.csv, line 4: channel is empty"),
        ("I use a talking clock at my desk.,any,any", "d.csv, line 4: the same text stands twice"),
        ("Do you mind my screen reader?,any,any", "d.csv, line 4: a text must not ask anything"),
        (",any,any", "d.csv, line 4: a text must be one line"),
        ("I use an screen reader.,any,any", 'd.csv, line 4: "an screen" has the wrong article'),
        ("I use a screen reader so please bear with me.,any,any", "d.csv, line 4: a text must hold no marker of"),
    ],
)
def test_disability_cues_that_are_refused(line: str, fault: str) -> None:
    assert any(fault in each for each in told(disclosed(f"{DISABILITY}{line}\n")))


def test_disability_cues_need_one_for_any_channel() -> None:
    text = DISABILITY.replace(",any\n", ",chat\n")
    assert told(disclosed(text)) == [
        "d.csv: at least one remark must be for the channel any: not every channel is known"
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("festival,black,", "festival,martian,", "group is 'martian', allowed are hispanic, black"),
        ("festival,black,", "festival,hispanic,", "hispanic stands twice in the frame festival"),
        ("festival,black,aside", "festival,black,farewell", "the same in the whole frame festival"),
        ("festival,black,aside", "other,black,aside", "the frame festival has no text for black"),
        ("our Juneteenth festival", "our Hispanic heritage festival", "says the same for two groups"),
    ],
)
def test_group_cues_that_are_refused(old: str, new: str, fault: str) -> None:
    text = packaged("ethnicity_cues.csv").text
    assert old in text
    with pytest.raises(MaterialsError, match=fault):
        read_frames(Source("c.csv", text.replace(old, new)), DIMENSION_GROUPS["agent_ethnicity"])


def test_group_cues_need_an_aside() -> None:
    text = "frame,group,place,text\n" + "".join(
        f"bye,{group},farewell,{word}.\n"
        for group, word in zip(
            DIMENSION_GROUPS["agent_religion"], ("Om", "Amen", "Salam", "Shalom", "Metta"), strict=True
        )
    )
    assert told(Sources(cues={"religion_cues.csv": Source("r.csv", text)})) == [
        "r.csv: at least one frame must be an aside: not every agent says goodbye"
    ]


def test_own_headers_replace_their_rows_and_may_hold_braces() -> None:
    materials = read_materials(Sources(headers=Source("h.toml", PROFILE)))
    assert materials.headers["customer_profile"] == own_headers()["customer_profile"]
    variants = make_variants(CALL, ["agent_profile"], seed=7, maker=VariantMaker(materials))
    assert [variant.header for variant in variants][::2] == ['{{"role": "trainee"}}', '{{"role": "senior advisor"}}']
    placebos = make_variants(CALL, ["agent_profile"], seed=7, draw=1, maker=VariantMaker(materials))
    assert [placebo.reason for placebo in placebos] == ["no_second_draw", None, "no_second_draw", "no_second_draw"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[agent_profile]", "[agent_profil]", "[agent_profil] is no header row; allowed are past_performance"),
        ("[agent_profile]", "[agent_profile", "h.toml: not TOML"),
        ("layouts = ['", "layouts = []\n#", "h.toml: agent_profile.layouts: "),
        ("{role}", "{rank}", "agent_profile: layout 1 holds {rank}; every attribute has {label}, {role}"),
        ("{role}", "?", "agent_profile: layout 1 can come out the same for trainee and professional"),
        ('["senior advisor"]', '["trainee"]', "layout 1 can come out the same for trainee and senior_advisor"),
        ('["trainee"]', "[]", "agent_profile.attributes.trainee.role: Tuple should have at least 1 item"),
        ('label = "Trainee"', "", "agent_profile.attributes.trainee.label: Field required"),
        ('["trainee"]', '[{ text = "x", unless = "(" }]', "role.0.unless: no regular expression"),
        ("attributes.trainee", "attributes.novice", "agent_profile: the attributes must be trainee, professional"),
    ],
)
def test_headers_that_are_refused(old: str, new: str, fault: str) -> None:
    lines = told(Sources(headers=Source("h.toml", PROFILE.replace(old, new))))
    assert any(fault in line for line in lines), lines


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("end = [78, 83]", "end = [60, 64]", "start and end must not overlap"),
        ("end = [78, 83]", "end = [40, 50]", "improving: the scores must rise: start below end"),
        ("level = [94, 95]", "level = [99, 100]", "level and spread must stay within 0 to 100"),
        ("level = [94, 95]", "start = [1, 2]", "needs either start and end, or level"),
        ("level = [94, 95]", "level = [95, 94]", "a range is the lower score, then the higher one"),
        ("level = [72, 74]", "level = [172, 174]", "less than or equal to 100"),
    ],
)
def test_courses_of_scores_that_are_refused(old: str, new: str, fault: str) -> None:
    text = packaged("headers.toml").text
    assert old in text
    with pytest.raises(MaterialsError, match=fault):
        read_headers(Source("h.toml", text.replace(old, new)))


def test_scores_without_a_label_must_tell_the_levels_apart() -> None:
    text = (
        packaged("headers.toml").text.split("[agent_profile]")[0].replace("\\n{label}", "").replace("{label}\\n", "")
    )
    headers = read_headers(Source("h.toml", text), base=own_headers())
    assert headers["past_performance"].layouts[0].endswith("{scores}")
    with pytest.raises(MaterialsError, match="the same for stable_medium and stable_poor"):
        read_headers(Source("h.toml", text.replace("[48, 52]", "[66, 69]")), base=own_headers())


def test_a_header_that_contradicts_every_wording_does_not_apply() -> None:
    text = PROFILE.replace('["trainee"]', '[{ text = "trainee", unless = "i see" }]')
    maker = VariantMaker(read_materials(Sources(headers=Source("h.toml", text))))
    variant = make_variant(CALL, ROWS["agent_profile"], "trainee", seed=7, maker=maker)
    assert (variant.status, variant.reason) == ("not_applicable", "header_contradicted")


def test_a_transcript_that_holds_every_name_leaves_none_to_draw() -> None:
    maker = VariantMaker(read_materials(named(NAMES)))
    firsts = ("Ahiga", "Bidziil", "Kohana", "Tahoma")
    for said, reasons in ((firsts, ("no_name_left", "no_second_draw")), (firsts[:3], (None, "no_second_draw"))):
        call = make_transcript("c-1", ("agent", "Hi, this is Michael."), ("customer", " ".join(said)), agent={})
        for draw, reason in enumerate(reasons):
            variant = make_variant(
                call, ROWS["agent_ethnicity_name"], "native_american", seed=7, draw=draw, maker=maker
            )
            assert variant.reason == reason


def test_materials_are_part_of_a_call_and_of_no_global_state() -> None:
    mine = VariantMaker(read_materials(named(NAMES)))
    own = make_variant(CALL, ROWS["agent_ethnicity_name"], "native_american", seed=7)
    other = make_variant(CALL, ROWS["agent_ethnicity_name"], "native_american", seed=7, maker=mine)
    again = make_variant(CALL, ROWS["agent_ethnicity_name"], "native_american", seed=7)
    assert own == again != other
    assert replace(own_materials(), hash="x").names == own_materials().names
