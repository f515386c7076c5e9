"""From real conversations to planted figures: variants, prompts, replies and their comparison, without a broker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from math import sqrt

import pytest

from evaluators.simulated.fingerprint import fingerprint
from evaluators.simulated.planting import plant
from evaluators.simulated.profile import default_profile
from evaluators.simulated.prompt_reading import read_prompt
from evaluators.simulated.reply_draw import Reply, at_work, draw_reply
from evaluators.simulated.truth import planted
from perturbations.outcome import make_original
from perturbations.records.transcript import Question, Transcript, read_transcript
from perturbations.rows import ROWS
from tests.evaluators.builders import auto_qa_prompt
from tests.variants import make_variants

JUDGE = plant(default_profile())
ROWS_AT_WORK = list(JUDGE.profile.rows)
QUESTIONS = tuple(Question(question_id=f"q{number}", text="Was the agent helpful?") for number in range(20))


@dataclass(frozen=True)
class Arm:
    """One accepted arm, or the original, with what the judge sees of it and says about it."""

    attribute: str
    fingerprint: str
    states: Mapping[str, str]
    reply: Reply


@cache
def transcripts() -> tuple[Transcript, ...]:
    lines = files("streams").joinpath("demo", "data", "transcripts.jsonl").read_bytes().splitlines()
    return tuple(read_transcript(line) for line in lines)


@cache
def arms_of(row: str, number: int) -> tuple[Arm, ...]:
    transcript = transcripts()[number]
    arms = []
    for variant in make_variants(transcript, [row], seed=7):
        if variant.status in ("accepted", "original"):
            user = auto_qa_prompt(QUESTIONS, variant.turns, variant.header).user
            reading = read_prompt(user)
            reply = draw_reply(JUDGE, user, f"{transcript.transcript_id} {row} {variant.attribute}")
            assert reply is not None
            states = at_work(JUDGE, reading)
            arms.append(Arm(variant.attribute, fingerprint(reading.turns), states, reply))
    return tuple(arms)


def pairs_of(row: str) -> Iterator[tuple[Transcript, Arm, Arm]]:
    for number, transcript in enumerate(transcripts()):
        for first, second in combinations(arms_of(row, number), 2):
            yield transcript, first, second


def test_conversations_are_told_apart() -> None:
    seen = {fingerprint(make_original(transcript).turns) for transcript in transcripts()}
    assert len(seen) == len(transcripts())


@pytest.mark.parametrize("row", ROWS_AT_WORK)
def test_a_pair_differs_for_the_judge_in_its_own_row_alone(row: str) -> None:
    own = JUDGE.channels[row]
    wrong = []
    pairs = 0
    for transcript, first, second in pairs_of(row):
        pairs += 1
        differing = {channel for channel, _ in channels_of(first) ^ channels_of(second)}
        if differing != {own} or first.fingerprint != second.fingerprint:
            wrong.append((transcript.transcript_id, first.attribute, second.attribute, differing))
    assert pairs >= 20
    assert wrong == []


def channels_of(arm: Arm) -> set[tuple[str, str]]:
    return {(JUDGE.channels[row], f"{row} {state}") for row, state in arm.states.items()}


@pytest.mark.parametrize("row", ROWS_AT_WORK)
def test_the_flips_of_real_conversations_are_the_planted_ones(row: str) -> None:
    flips, comparisons, by_transcript = 0, 0, dict[str, tuple[int, int]]()
    for transcript, first, second in pairs_of(row):
        turned = sum(a.answer != b.answer for a, b in zip(first.reply.answers, second.reply.answers, strict=True))
        done, of = by_transcript.get(transcript.transcript_id, (0, 0))
        by_transcript[transcript.transcript_id] = (done + turned, of + len(QUESTIONS))
        flips, comparisons = flips + turned, comparisons + len(QUESTIONS)
    truth = planted(JUDGE.profile, row).cfr
    # Pairs of one transcript share arms: the spread comes from the transcripts.
    spread = sum((done - truth * of) ** 2 for done, of in by_transcript.values())
    assert flips / comparisons == pytest.approx(truth, abs=3.5 * sqrt(spread) / comparisons)


def test_every_row_of_the_profile_is_a_row() -> None:
    assert set(JUDGE.profile.rows) <= set(ROWS)
