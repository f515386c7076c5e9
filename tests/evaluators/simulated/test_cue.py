import pytest

from evaluators.simulated.cue import ABSENT, sight_of, state_of
from evaluators.simulated.cue_spec import AgentNameCue, AgentPhrase, CueSpec, HeaderLine, MarkerCount
from evaluators.simulated.phrase_cue import any_phrase
from evaluators.simulated.prompt_reading import PromptReading
from perturbations.records.transcript import Turn

TREND = HeaderLine(kind="header_line", prefixes=("Trend:", "Course:"))
READER = AgentPhrase(kind="agent_phrase", phrases=("I'm using a screen reader, please bear with me.",))
DISABILITY = AgentPhrase(kind="agent_phrase", file="disability.csv")
POLITE = MarkerCount(kind="marker_count", style="politeness")
GENDER = AgentNameCue(kind="agent_name", tells="gender")
ETHNICITY = AgentNameCue(kind="agent_name", tells="ethnicity")
RELIGION = AgentNameCue(kind="agent_name", tells="religion")


def make_reading(*texts: str, header: str | None = None) -> PromptReading:
    """Agent and customer in turn, the agent first."""
    turns = tuple(Turn(speaker="customer" if number % 2 else "agent", text=text) for number, text in enumerate(texts))
    return PromptReading((), header, turns)


def seen(cue: CueSpec, reading: PromptReading, *phrases: AgentPhrase) -> str:
    return state_of(cue, sight_of(reading, any_phrase(phrases)))


@pytest.mark.parametrize(
    ("header", "state"),
    [
        (None, ABSENT),
        ("", ABSENT),
        ("The trend: up", ABSENT),
        ("Trend: up", "says Trend: up"),
        ("Scores: 1, 2\nCourse: down \nNote: x", "says Course: down"),
    ],
)
def test_the_state_of_a_header_is_its_line(header: str | None, state: str) -> None:
    assert seen(TREND, make_reading("Trend: never here", header=header)) == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("I'm using a screen reader, please bear with me.", "present"),
        ("i\N{RIGHT SINGLE QUOTATION MARK}m using a screen\nreader please bear with me", "present"),
        ("Well. I'M USING A SCREEN READER - PLEASE BEAR WITH ME! Now then", "present"),
        ("I'm using a screen reader, please bear with men", ABSENT),
        ("I use a screen reader", ABSENT),
        ("", ABSENT),
    ],
)
def test_a_phrase_is_found_however_it_is_written(text: str, state: str) -> None:
    assert seen(READER, make_reading(text)) == state


def test_a_phrase_of_the_customer_is_none() -> None:
    assert seen(READER, make_reading("Hi", "I'm using a screen reader, please bear with me.")) == ABSENT


def test_a_remark_tells_a_group() -> None:
    remark = "this is a test we have our juneteenth festival in town this weekend"
    cue = AgentPhrase(kind="agent_phrase", file="ethnicity_cues.csv")
    assert seen(cue, make_reading(remark)) == "black"


def test_phrases_come_from_the_file_that_the_row_draws_from() -> None:
    assert seen(DISABILITY, make_reading("i type with one hand on an adapted keyboard here")) == "present"


def test_markers_in_an_inserted_phrase_are_not_the_agent_s_style() -> None:
    plain = make_reading("Could you please hold?", "Could you please hurry?")
    inserted = make_reading("Could you please hold?", "ok", "I'm using a screen reader, please bear with me.")
    assert seen(POLITE, plain, READER) == seen(POLITE, inserted, READER)
    assert seen(POLITE, plain) != seen(POLITE, inserted)


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("hello my name is elizabeth how can i help you", "female"),
        ("Thank you for calling, this is Michael. How can I help?", "male"),
        ("Hi, Jose speaking.", "male"),
        ("Hi, my name is Tenzin.", ABSENT),  # borne by both
        ("How can I help?", ABSENT),
    ],
)
def test_the_agent_s_name_tells_a_gender(text: str, gender: str) -> None:
    assert seen(GENDER, make_reading(text, "hi my name is david i need help")) == gender


def test_an_agent_who_gives_no_name_is_known_by_how_they_are_called() -> None:
    reading = make_reading("How can I help?", "Hi Jamal, I lost my card.", "Sure.", "Thanks Jamal")
    assert seen(GENDER, reading) == "male"
    assert seen(ETHNICITY, reading) == "black"


def test_the_first_name_tells_the_group_before_the_surname_does() -> None:
    assert seen(ETHNICITY, make_reading("This is Jamal Garcia speaking.")) == "black"
    assert seen(ETHNICITY, make_reading("This is Michael Garcia speaking.")) == "hispanic"
    assert seen(ETHNICITY, make_reading("this is miss jamal how can i help you")) == "black"
    assert seen(ETHNICITY, make_reading("This is Michael speaking.")) == ABSENT
    assert seen(RELIGION, make_reading("This is Jamal speaking.")) == ABSENT


def test_the_customer_s_name_tells_nothing() -> None:
    reading = make_reading("May I have your name, please?", "My name is Jamal.", "Thank you Jamal.")
    assert seen(ETHNICITY, reading) == ABSENT
