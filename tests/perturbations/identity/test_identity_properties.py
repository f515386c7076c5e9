"""What holds for every identity row on every transcript: real ones, and ones that hypothesis puts together."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.finding.agent import find_agent
from perturbations.records.edit import Insertion, Replacement, revert_edits
from perturbations.records.transcript import Person, Transcript, Turn, read_transcript
from perturbations.records.variant import Variant
from perturbations.rows import ROWS
from perturbations.writer import NotApplicable
from tests.examples import examples
from tests.variants import make_variant

IDENTITY = tuple(name for name, row in ROWS.items() if row.category == "identity")
SAMPLE = Path(__file__).parents[3] / "streams" / "demo" / "data" / "transcripts.jsonl"
REASONS = {"no_agent_name", "name_redacted", "agent_name_not_said", "no_first_name", "no_agent_turn", "no_name_left"}


@cache
def sample() -> tuple[Transcript, ...]:
    return tuple(read_transcript(line) for line in SAMPLE.read_bytes().splitlines())


def all_variants(transcript: Transcript, *, seed: int = 7, draw: int = 0) -> dict[tuple[str, str], Variant]:
    return {
        (name, attribute): make_variant(transcript, ROWS[name], attribute, seed=seed, draw=draw)
        for name in IDENTITY
        for attribute in ROWS[name].attributes
    }


def check_properties(transcript: Transcript, variants: dict[tuple[str, str], Variant]) -> None:
    for (row, attribute), variant in variants.items():
        if variant.status in ("original", "not_applicable"):
            assert variant.status == "original" or variant.reason in REASONS
            continue
        assert variant.status == "accepted", (row, attribute, variant.reason)
        assert revert_edits(variant.turns, variant.edits) == transcript.turns
        check_edits(transcript, variant)
    for row in IDENTITY:
        # A row applies to all its attributes or to none, and no two of them give the same text.
        own = [each for (name, _), each in variants.items() if name == row and each.status != "original"]
        assert len({each.status for each in own}) == 1
        if own[0].status == "accepted":
            assert all(left.turns != right.turns for left, right in combinations(own, 2))


def check_edits(transcript: Transcript, variant: Variant) -> None:
    replaced = [edit for edit in variant.edits if isinstance(edit, Replacement)]
    inserted = [edit for edit in variant.edits if isinstance(edit, Insertion)]
    places = [(edit.turn, edit.start, edit.end) for edit in replaced]
    assert places == sorted(places)
    assert all(left[0] < right[0] or left[2] <= right[1] for left, right in pairwise(places))
    for edit in replaced:
        assert edit.before != edit.after
        assert edit.before
        assert edit.after
        assert transcript.turns[edit.turn].speaker in ("agent", "customer")
    assert all(edit.speaker == "agent" and edit.turn > 0 for edit in inserted)
    assert len(inserted) <= 1
    assert variant.row.endswith("cues") or variant.row == "agent_disability" or not inserted


def test_the_properties_on_real_transcripts() -> None:
    for transcript in sample():
        for draw in (0, 1):
            check_properties(transcript, all_variants(transcript, draw=draw))


def test_arm_and_placebo_differ_in_every_name_and_remark_on_real_transcripts() -> None:
    for transcript in sample():
        arms, placebos = all_variants(transcript), all_variants(transcript, draw=1)
        for key, arm in arms.items():
            if arm.status == "accepted":
                assert arm.turns != placebos[key].turns


def test_customer_turns_change_only_where_the_agent_is_meant() -> None:
    changed: dict[str, list[str]] = {}
    for transcript in sample():
        for variant in all_variants(transcript).values():
            for edit in variant.edits:
                if isinstance(edit, Replacement) and transcript.turns[edit.turn].speaker == "customer":
                    changed.setdefault(f"{transcript.transcript_id}#{edit.turn}", []).append(edit.before)
    agents = {each.transcript_id: find_agent(each) for each in sample()}
    for place, befores in changed.items():
        agent = agents[place.split("#")[0]]
        assert not isinstance(agent, NotApplicable)
        for before in befores:
            assert before.lower() in agent.name.firsts | {"sir", "ma'am"}


def test_coverage_on_real_transcripts() -> None:
    # Agents who give a name in an agent's turn, by a search that knows nothing of the rules.
    named = [
        each
        for each in sample()
        if any(
            turn.speaker == "agent" and (" my name is " in f" {turn.text.lower()}" or " this is miss " in turn.text)
            for turn in each.turns
        )
    ]
    assert len(named) > 40
    for row in IDENTITY:
        of = sample() if row == "agent_disability" else named
        complete = [
            each
            for each in of
            if all(
                make_variant(each, ROWS[row], attribute, seed=7).status in ("accepted", "original")
                for attribute in ROWS[row].attributes
            )
        ]
        assert len(complete) / len(of) >= (1 if row == "agent_disability" else 0.9)


def digest(seed: int) -> str:
    lines = [each.model_dump_json() for of in sample()[::7] for each in all_variants(of, seed=seed).values()]
    return hashlib.sha256(json.dumps(sorted(lines)).encode()).hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_another_process_writes_the_same(hash_seed: str) -> None:
    root = Path(__file__).parents[3]
    script = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('m', {str(Path(__file__))!r})\n"
        "module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)\n"
        "print(module.digest(7))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == digest(7)


PIECES = """my name is|this is|i'm|speaking|here|Mary|mary|MARY|Michael|Reyes|Smith|Will|grace|Jos\u00e9
Ren\u0065\u0301e|O'Brien|Anne-Marie|de la|Mr.|miss|sir|ma'am|thank you|hi|yes|no|M-A-R-Y|m a r y|M as in Mike|with a K
mary.smith@example.com|#AB-1234|[PII]|<unk>|[noise]|Best regards,|she|her|(he/him)|you're a gentleman
was great|his|how can i help|?|.|,|!
\u2019|\u2014|\ufb01|\u01c5|\u0130""".replace("\n", "|").split("|")
INTRODUCTIONS = (
    "My name is Mary.",
    "this is will how can i help",
    "I'm Jos\u00e9 de la Cruz.",
    "MY NAME IS MARY SMITH",
)
pieces = st.one_of(st.sampled_from((*PIECES, "\n")), st.text(max_size=6))
texts = st.lists(pieces, min_size=1, max_size=14).map(" ".join)
speakers = st.sampled_from(("agent", "customer", "agent", "customer", "bot", "other"))
turns = st.builds(Turn, speaker=speakers, text=texts)
introductions = st.builds(Turn, speaker=st.just("agent"), text=st.sampled_from(INTRODUCTIONS))
NAMES = (None, None, "Mary Smith", "Michael Reyes", "Reyes, Michael", "Jos\u00e9 de la Cruz", "Will", "agent_7")
genders = st.sampled_from((None, "male", "female"))
people = st.builds(Person, name=st.sampled_from(NAMES), gender=genders)
transcripts = st.builds(
    Transcript,
    transcript_id=st.sampled_from(("a", "b", "c")),
    turns=st.lists(st.one_of(turns, turns, introductions), min_size=1, max_size=8).map(tuple),
    agent=people,
    customer=people,
)


@examples(2)
@given(transcripts)
def test_the_properties_on_transcripts_put_together(transcript: Transcript) -> None:
    check_properties(transcript, all_variants(transcript))


@given(transcripts, st.sampled_from(IDENTITY))
def test_no_drawn_name_occurs_in_the_transcript(transcript: Transcript, row: str) -> None:
    agent = find_agent(transcript)
    if isinstance(agent, NotApplicable):
        return
    for attribute in ROWS[row].attributes:
        variant = make_variant(transcript, ROWS[row], attribute, seed=7)
        names = {(span.turn, span.start) for span in agent.names if span.form == "name"}
        for edit in variant.edits:
            if isinstance(edit, Replacement) and (edit.turn, edit.start) in names:
                assert edit.after.lower() not in agent.words
