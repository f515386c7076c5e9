"""Every row on text of every shape: each works or says why not, and never breaks what stands around its edits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.records.edit import Insertion, Replacement
from perturbations.records.hashing import digest
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant
from perturbations.rows import ROWS
from tests.builders import make_transcript
from tests.examples import examples
from tests.variants import make_variants

IDENTITY, CONTEXT, STYLE = (
    tuple(name for name, row in ROWS.items() if row.category == category)
    for category in ("identity", "context", "style")
)
NAMED = tuple(name for name in IDENTITY if name != "agent_disability")
NOTHING_THERE = {"nothing_to_neutralise", "nothing_to_restyle", "entangled"}
Turns = Sequence[tuple[str, str]]

ASR: Turns = (
    ("agent", "hello thank you for calling acme my name is michael how may i help you"),
    ("customer", "hi michael um i lost my card could you block it please"),
    ("agent", "i'm so sorry to hear that okay could you please give me your card number"),
    ("customer", "four five one one"),
    ("agent", "thank you it's blocked now is there anything else i can help you with"),
    ("customer", "no sir that's all"),
    ("agent", "okay have a great day bye"),
)
UPPER: Turns = tuple((speaker, text.upper()) for speaker, text in ASR)
CHAT: Turns = (
    ("agent", "hiya! this is Michael from acme,hw can i help u tody??"),
    ("customer", "hi michael..lost my crd :( pls help"),
    ("agent", "oh no! could u please send me ur card nr"),
    ("customer", "4511"),
    ("agent", "thx its blockd now :) anything else i can do 4 u?"),
    ("customer", "nope ty michael"),
)
NOISE: Turns = (
    ("agent", "[noise] hello this is <unk> bank my name is michael <unk> how can i help you"),
    ("customer", "<unk> [laughter] hi michael"),
    ("agent", "[noise] okay could you please <unk> hold [background]"),
    ("customer", "[silence]"),
    ("agent", "<unk> i'm sorry about that it's done [noise]"),
)
OTHERS: Turns = (
    ("bot", "Hi, I'm Sam, your virtual agent. Please say your name."),
    ("customer", "Ana"),
    ("bot", "Thank you, Ana. I'm sorry for the wait. Transferring you to Michael."),
    ("agent", "Hello, this is Michael. How can I help you?"),
    ("customer", "Thanks Michael, I want to talk to a manager, please."),
    ("supervisor", "Hello, this is Michael's supervisor. I'm so sorry, could you please hold?"),
    ("other", "[queue music] please hold"),
    ("agent", "Could you please wait a moment? I'm sorry."),
)


def variants_of(turns: Turns, *, language: str = "en", draw: int = 0) -> dict[tuple[str, str], Variant]:
    transcript = make_transcript("c-1", *turns, agent={}, customer={}, language=language)
    variants = {(v.row, v.attribute): v for v in make_variants(transcript, ROWS, seed=7, draw=draw)}
    for variant in variants.values():
        check(transcript, variant)
    return variants


def check(transcript: Transcript, variant: Variant) -> None:
    """What holds for any variant, checked without the functions that apply edits."""
    assert (variant.reason is None) == (variant.status in ("accepted", "original"))
    if variant.status not in ("accepted", "original"):
        assert (variant.turns, variant.edits, variant.header) == ((), (), None)
        return
    assert (variant.header is not None) == (variant.row in CONTEXT)
    if variant.status == "original" or variant.row in CONTEXT:
        assert (variant.turns, variant.edits) == (transcript.turns, ())
        return
    rest = list(variant.turns)
    for index, turn in enumerate(transcript.turns):
        for inserted in (edit for edit in variant.edits if isinstance(edit, Insertion) and edit.turn == index):
            added = rest.pop(0)
            assert (added.speaker, added.text) == ("agent", inserted.after)
        replaced = [edit for edit in variant.edits if isinstance(edit, Replacement) and edit.turn == index]
        assert turn.speaker == "agent" or not replaced or (turn.speaker == "customer" and variant.row in NAMED)
        changed = rest.pop(0)
        assert changed.speaker == turn.speaker
        assert changed.text == spliced(turn.text, replaced)
    assert [turn.text for turn in rest] == [
        edit.after for edit in variant.edits if isinstance(edit, Insertion) and edit.turn == len(transcript.turns)
    ]


def spliced(text: str, edits: Sequence[Replacement]) -> str:
    """The text with the edits, which must not overlap, written from behind."""
    last = len(text)
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        assert edit.end <= last
        assert text[edit.start : edit.end] == edit.before != edit.after
        text, last = text[: edit.start] + edit.after + text[edit.end :], edit.start
    return text


def texts(variant: Variant) -> list[str]:
    return [edit.after for edit in variant.edits]


@pytest.mark.parametrize("turns", [ASR, UPPER, CHAT, NOISE, OTHERS], ids=["asr", "upper", "chat", "noise", "others"])
def test_every_row_works_or_says_why_not(turns: Turns) -> None:
    for (row, _), variant in variants_of(turns).items():
        if row in STYLE:
            assert variant.status in ("accepted", "original") or variant.reason in NOTHING_THERE
        else:
            assert variant.status in ("accepted", "original"), (row, variant.reason)


def test_lower_case_speech_stays_without_capitals_and_marks() -> None:
    for (row, _), variant in variants_of(ASR).items():
        if row not in CONTEXT:
            text = " ".join(texts(variant))
            assert text == text.lower()
            assert not set(text) & set(".,?!;:")


def test_capitals_stay_capitals() -> None:
    for (row, _), variant in variants_of(UPPER).items():
        if row not in CONTEXT:
            assert all(text == text.upper() for text in texts(variant))


@pytest.mark.parametrize("row", [*NAMED, "politeness"])
def test_the_rows_change_speech_without_marks_and_chat(row: str) -> None:
    for turns in (ASR, UPPER, CHAT, NOISE):
        for attribute in ROWS[row].attributes:
            variant = variants_of(turns)[row, attribute]
            assert variant.status in ("accepted", "original"), (attribute, variant.reason)


def test_marks_of_noise_stay() -> None:
    for variant in variants_of(NOISE).values():
        for edit in variant.edits:
            if isinstance(edit, Replacement):
                assert not set(edit.before + edit.after) & set("[]<>")


def test_other_speakers_are_carried_along_unchanged() -> None:
    others = [turn for turn in OTHERS if turn[0] not in ("agent", "customer")]
    made = [each for each in variants_of(OTHERS).values() if each.status in ("accepted", "original")]
    assert len(made) > 40
    for variant in made:
        kept = [(turn.speaker, turn.text) for turn in variant.turns if turn.speaker not in ("agent", "customer")]
        assert kept == others


@pytest.mark.parametrize(
    "mark", ["[PII]", "[PERSON_NAME]", "####", "<NAME>", "XXXX", "{{agent_name}}", "[Agent Name]"]
)
@pytest.mark.parametrize("said", ["my name is {}", "Hi, this is {}. How can I help?", "{} speaking, how can I help?"])
def test_a_drawn_name_never_replaces_a_mark(mark: str, said: str) -> None:
    turns = (
        ("agent", said.format(mark)),
        ("customer", "Hi Michael, I lost my card."),
        ("agent", "I'm sorry to hear that. Could you please give me your number?"),
        ("customer", f"Yes {mark}, it is ####."),
    )
    variants = variants_of(turns)
    for (row, attribute), variant in variants.items():
        if row in NAMED:
            assert (variant.status, variant.reason) == ("not_applicable", "name_redacted"), (row, attribute)
        elif row not in STYLE:
            assert variant.status in ("accepted", "original")
    assert variants["politeness", "neutral"].status == "accepted"


@pytest.mark.parametrize(
    ("language", "turns"),
    [
        ("es", (("agent", "Hola, me llamo Miguel. ¿En qué puedo ayudarle?"), ("customer", "Hola Miguel."))),
        ("de-DE", (("agent", "Guten Tag, mein Name ist Anna. Bitte?"), ("customer", "Hallo Anna."))),
    ],
)
def test_another_language_leaves_the_headers(language: str, turns: Turns) -> None:
    for (row, _), variant in variants_of(turns, language=language).items():
        if row in CONTEXT:
            assert variant.status == "accepted"
        else:
            assert variant.status == "original" or (variant.status, variant.reason) == ("not_applicable", "language")


def test_calls_without_an_agent_or_without_words() -> None:
    silent = (("agent", ""), ("customer", " \n"), ("agent", "[noise]"))
    alone = (("customer", "Hello? This is Michael."), ("bot", "Please hold."))
    for turns, reason in ((silent, "no_agent_name"), (alone, "no_agent_name")):
        variants = variants_of(turns)
        assert all(variants[row, attribute].reason == reason for row in NAMED for attribute in ROWS[row].attributes)
        assert all(v.status == "accepted" for (row, _), v in variants.items() if row in CONTEXT)
    assert variants["agent_disability", "disabled"].reason == "no_agent_turn"


AGENT = "Okay, Ana. Could you please give me your number, I'm sorry to ask? This is Michael."
CUSTOMER = "Yes Michael, it is four five one one, sir. My name is Ana and I want to know how it is."


def long_call(turns: int) -> Transcript:
    spoken = [("agent", AGENT), ("customer", CUSTOMER)] * (turns // 2)
    return make_transcript("c-long", *spoken, agent={}, customer={})


def giant_turn(words: int, text: str) -> Transcript:
    giant = " ".join([text] * (words // len(text.split())))
    return make_transcript("c-giant", ("agent", giant), ("customer", giant), ("agent", "Bye."), agent={}, customer={})


ONE_OF_EACH_KIND = ("agent_gender", "agent_ethnicity_cues", "agent_disability", "agent_profile", *STYLE)


@pytest.mark.parametrize(
    "transcript",
    [
        long_call(400),
        giant_turn(2_000, AGENT),
        giant_turn(2_000, AGENT.lower().replace(",", "").replace(".", "").replace("?", "")),
    ],
    ids=["turns", "a turn", "a turn without marks"],
)
def test_every_kind_of_row_on_a_long_call(transcript: Transcript) -> None:
    # How its time grows: tests/test_linear_time.py, benchmarks/linear_time.py.
    for variant in make_variants(transcript, ONE_OF_EACH_KIND, seed=7):
        assert variant.status in ("accepted", "original") or variant.reason in NOTHING_THERE


PIECES = (
    *(
        "my name is Michael.",
        "this is mary",
        "MY NAME IS JOHN",
        "Michael",
        "mary",
        "sir",
        "ma'am",
        "thank you michael",
    ),
    *("How can I help you?", "could you please hold", "I'm so sorry about that.", "what is your PIN?", "okay", "bye"),
    *(
        "[noise]",
        "<unk>",
        "[PII]",
        "####",
        "#AB-1234",
        "michael.reyes@shop.example",
        "https://shop.example/a",
        "4511",
    ),
    *(
        "M-I-C-H-A-E-L",
        "\n",
        "...",
        ",",
        "?",
        "!",
        "-",
        "\u2019",
        "\u00e9",
        "\U0001f600",
        "i can't",
        "I do not",
        "a an",
    ),
)
SPEAKERS = st.sampled_from(("agent", "agent", "customer", "bot", "supervisor", "other"))
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=10).map(" ".join)
TRANSCRIPTS = st.builds(
    lambda turns, person, language: make_transcript("c-any", *turns, agent=person, customer={}, language=language),
    st.lists(
        st.tuples(SPEAKERS, st.one_of(TEXTS, TEXTS.map(str.upper), TEXTS.map(str.lower))), min_size=1, max_size=8
    ),
    st.sampled_from(({}, {"name": "Michael Reyes"}, {"name": "Mary", "gender": "female"})),
    st.sampled_from(("en", "en", "en-GB", "fr")),
)


@examples(1.5)
@given(transcript=TRANSCRIPTS, draw=st.sampled_from((0, 1)), seed=st.integers(0, 9), backwards=st.booleans())
def test_every_row_of_any_transcript(transcript: Transcript, draw: int, seed: int, backwards: bool) -> None:
    rows = tuple(reversed(ROWS)) if backwards else tuple(ROWS)
    variants = make_variants(transcript, rows, seed=seed, draw=draw)
    for variant in variants:
        check(transcript, variant)
        # Rules of style may meet nonsense in which they go wrong; that is what the validation is for.
        assert variant.status != "rejected" or variant.row in STYLE, (variant.row, variant.attribute, variant.reason)
    for row in ROWS:
        shown = [(v.header, v.turns) for v in variants if v.row == row and v.status in ("accepted", "original")]
        assert all(left != right for left, right in combinations(shown, 2))
    again = make_variants(transcript, ROWS, seed=seed, draw=draw)
    assert sorted(v.model_dump_json() for v in variants) == sorted(v.model_dump_json() for v in again)


def digests(*, backwards: bool) -> list[str]:
    calls = [make_transcript(f"c-{n}", *turns, agent={}) for n, turns in enumerate((ASR, UPPER, CHAT, NOISE, OTHERS))]
    if backwards:
        calls.reverse()
    hashes = [digest(*(v.model_dump_json() for v in make_variants(call, ROWS, seed=7, draw=1))) for call in calls]
    return sorted(hashes)


def test_another_process_writes_the_same_in_another_order() -> None:
    program = "from tests.perturbations.text import test_text_shapes as shapes\nprint(shapes.digests(backwards=True))"
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120, env=environment
    )
    assert done.stdout.strip() == str(digests(backwards=False))
