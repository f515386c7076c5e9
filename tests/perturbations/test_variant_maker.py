"""What holds for every row on every transcript."""

from __future__ import annotations

import subprocess
import sys
import threading
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.draw import Draw
from perturbations.materials import own_materials
from perturbations.outcome import make_original
from perturbations.records.edit import Insertion, Replacement, revert_edits
from perturbations.records.hashing import digest
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant
from perturbations.rows import ROWS, Row, rows_of
from perturbations.style.style_markers import count_markers
from perturbations.validation import FAULTS
from perturbations.variant_maker import VariantMaker
from perturbations.writer import BadDraw, Change, NotApplicable, RowRule, Validator
from tests.builders import make_transcript
from tests.real_transcripts import real_transcripts
from tests.variants import by_rules, make_variant, make_variants

STYLE_ROWS = tuple(row.name for row in rows_of("style"))
ALL_ROWS = tuple(ROWS)
SPEAKERS = st.sampled_from(["agent", "agent", "customer", "bot", "supervisor", "other"])
TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "Hello, this is Michael. How can I help you?",
            "thank you michael could you please repeat that",
            "YES MA'AM I WILL SEND IT TO michael.reyes@shop.example",
            "I\u2019m sorry, what is your PIN? Call 555-0100.",
            "my name is M-I-C-H-A-E-L",
            "<unk> [noise]",
            "",
            " \n",
            "a an A AN",
            "Best regards,\nMichael Reyes",
        ]
    ),
)
TRANSCRIPTS = st.builds(
    lambda transcript_id, turns: make_transcript(transcript_id, *turns),
    st.text(min_size=1, max_size=8),
    st.lists(st.tuples(SPEAKERS, TEXTS), min_size=1, max_size=8),
)


def check(transcript: Transcript, variant: Variant) -> None:
    row = ROWS[variant.row]
    assert (variant.reason is None) == (variant.status in ("accepted", "original"))
    if variant.status in ("rejected", "not_applicable"):
        assert (variant.turns, variant.edits, variant.header) == ((), (), None)
        assert variant.status != "rejected" or variant.reason in FAULTS
        return
    assert revert_edits(variant.turns, variant.edits) == transcript.turns
    if variant.status == "original":
        assert (variant.turns, variant.edits, variant.header) == (transcript.turns, (), None)
    elif row.category == "context":
        assert (variant.turns, variant.edits) == (transcript.turns, ())
        assert variant.header
    else:
        assert variant.header is None
        assert variant.turns != transcript.turns
    replaced = [edit for edit in variant.edits if isinstance(edit, Replacement)]
    for first, second in combinations(sorted(replaced, key=lambda edit: (edit.turn, edit.start)), 2):
        assert first.turn != second.turn or first.end <= second.start
    for edit in variant.edits:
        if isinstance(edit, Insertion):
            assert edit.speaker == "agent"
            assert 2 in row.operations
        else:
            speaker = transcript.turns[edit.turn].speaker
            assert speaker == "agent" or (speaker == "customer" and row.category == "identity")


def test_every_row_has_its_writer() -> None:
    assert set(by_rules().rules.by_row) == set(ROWS)


@pytest.mark.parametrize("row", ALL_ROWS)
def test_every_attribute_of_every_real_transcript(row: str) -> None:
    for draw in (0, 1):
        for transcript in real_transcripts():
            variants = make_variants(transcript, [row], seed=7, draw=draw)
            assert [variant.attribute for variant in variants] == list(ROWS[row].attributes)
            for variant in variants:
                check(transcript, variant)
            shown = [
                (variant.header, variant.turns) for variant in variants if variant.status in ("accepted", "original")
            ]
            assert len(set(shown)) == len(shown)


@given(transcript=TRANSCRIPTS, row=st.sampled_from(ALL_ROWS), draw=st.sampled_from((0, 1)), seed=st.integers())
def test_every_attribute_of_any_transcript(transcript: Transcript, row: str, draw: int, seed: int) -> None:
    variants = make_variants(transcript, [row], seed=seed, draw=draw)
    for variant in variants:
        check(transcript, variant)
        assert variant == make_variant(transcript, ROWS[row], variant.attribute, seed=seed, draw=draw)
    shown = [(v.header, v.turns) for v in variants if v.status in ("accepted", "original")]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize("row", ALL_ROWS)
def test_a_placebo_differs_from_its_arm(row: str) -> None:
    for transcript in real_transcripts()[::4]:
        for attribute in ROWS[row].attributes:
            arm, placebo = (make_variant(transcript, ROWS[row], attribute, seed=7, draw=draw) for draw in (0, 1))
            if arm.status == placebo.status == "accepted":
                assert (arm.header, arm.turns) != (placebo.header, placebo.turns)
                assert (arm.draw, placebo.draw) == (0, 1)


def digests(transcripts: tuple[Transcript, ...]) -> dict[str, str]:
    return {
        transcript.transcript_id: digest(
            *(variant.model_dump_json() for variant in make_variants(transcript, ALL_ROWS, seed=7))
        )
        for transcript in transcripts
    }


def test_another_process_and_order_write_the_same() -> None:
    here = digests(tuple(reversed(real_transcripts()[:12])))
    program = (
        "from tests.perturbations.test_variant_maker import digests; "
        "from tests.real_transcripts import real_transcripts; "
        "print(sorted(digests(real_transcripts()[:12]).items()))"
    )
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert there.stdout.strip() == str(sorted(here.items()))


def test_another_seed_writes_something_else() -> None:
    transcript = real_transcripts()[0]
    for row in ("politeness", "past_performance", "agent_gender"):
        shown = {
            make_variant(transcript, ROWS[row], ROWS[row].attributes[-1], seed=seed).model_dump_json()
            for seed in range(30)
        }
        assert len(shown) > 1


def test_headers_hold_no_marker_of_a_style() -> None:
    for transcript in real_transcripts():
        for variant in make_variants(transcript, [r for r in ALL_ROWS if ROWS[r].category == "context"], seed=7):
            for row in STYLE_ROWS:
                assert count_markers(row, variant.header or "") == 0


def test_header_rows_take_any_language() -> None:
    transcript = make_transcript("c-1", ("agent", "Guten Tag, was kann ich tun?"), language="de")
    for row in ALL_ROWS:
        for variant in make_variants(transcript, [row], seed=7):
            if ROWS[row].category == "context":
                assert variant.status == "accepted"
            elif variant.status != "original":
                assert (variant.status, variant.reason) == ("not_applicable", "language")


def test_the_original_belongs_to_the_baseline() -> None:
    transcript = make_transcript()
    original = make_original(transcript)
    assert (original.row, original.attribute, original.status) == ("robustness", "original", "original")
    assert (original.turns, original.edits) == (transcript.turns, ())


class Approving:
    """A validator that lets everything stand."""

    name = "test"

    async def check(self, transcript: Transcript, row: Row, draw: Draw, change: Change) -> None:
        """Nothing is wrong."""


@pytest.mark.parametrize("validator", [None, Approving()])
async def test_others_go_on_while_rules_write(validator: Validator | None) -> None:
    maker = VariantMaker(own_materials(), validator=validator)
    long_call = make_transcript("c-1", *[("agent", "Please tell me your name."), ("customer", "It is Ana.")] * 100)
    threads: set[int] = set()

    def noted(rule: RowRule) -> RowRule:
        def write(transcript: Transcript, draw: Draw) -> Change | NotApplicable:
            threads.add(threading.get_ident())
            return rule(transcript, draw)

        return write

    vars(maker.rules)["by_row"] = {name: noted(rule) for name, rule in maker.rules.by_row.items()}
    messages = await maker.arms(long_call, rows=ALL_ROWS, seed=7, repeats=1)
    # The loop, on which others wait for their replies, is this thread's.
    assert threads
    assert threading.get_ident() not in threads
    validators = {message.variant.validator for message in messages}
    assert validators == ({None, "rules"} if validator is None else {None, "rules", "test"})


async def test_a_validator_is_asked_about_what_rules_let_stand_and_never_about_headers() -> None:
    maker = VariantMaker(own_materials(), validator=Approving())
    arms = [(ROWS[name], attribute) for name in ALL_ROWS for attribute in ROWS[name].attributes]
    for variant in await maker.variants(make_transcript(), arms, seed=7):
        by_rules_alone = ROWS[variant.row].category == "context"
        assert variant.validator == {"accepted": "rules" if by_rules_alone else "test"}.get(variant.status)
    assert maker.version == own_materials().hash


class Hopeless:
    """A writer that has nothing to give, not even another time."""

    version = "test"

    async def write(self, transcript: Transcript, row: Row, draw: Draw) -> BadDraw:
        return BadDraw("quota", again=False)


async def test_where_no_draw_can_do_better_none_is_made() -> None:
    variant = await VariantMaker(own_materials(), Hopeless()).variant(
        make_transcript(), ROWS["politeness"], "polite", seed=7
    )
    assert (variant.status, variant.reason, variant.retries, variant.validator) == ("rejected", "quota", 0, "rules")
