"""The simulated judge's reply: (planting, text, key) -> answers and a coaching note. Pure, drawn by hash.

For each row and each question of a conversation an item is sensitive with probability 2p (more, and only where it is
yes, in a row that turns answers to no alone). The answer to a sensitive
item is turned by a fair coin of its own for every state of the row, so that two arms in different states differ with
probability p exactly, whichever the states are. What other rows show is equal in both arms and cancels out. Shifts of
the scores have a fair sign for every state in the same way. The key draws the noise of the call and nothing else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from evaluators.simulated.cue import ABSENT, sight_of, state_of
from evaluators.simulated.effect import Effect, ScoreName
from evaluators.simulated.fingerprint import fingerprint
from evaluators.simulated.planting import Planting
from evaluators.simulated.prompt_reading import PromptQuestion, PromptReading, read_prompt
from perturbations.records.hashing import KeyPart, digest, fraction, pick

NOTES: tuple[ScoreName, ScoreName] = ("positive", "improvement")


@dataclass(frozen=True)
class DrawnAnswer:
    """The answer to one question; confidence in points."""

    question_id: str
    answer: Literal["yes", "no", "na"]
    confidence: float


@dataclass(frozen=True)
class Reply:
    """What the judge says about one arm."""

    answers: tuple[DrawnAnswer, ...]
    positives: tuple[str, ...]
    positive_score: float
    improvements: tuple[str, ...]
    improvement_score: float

    def as_json(self) -> dict[str, object]:
        """The reply in the form that the Auto-QA prompt asks for."""
        return {
            "answers": [
                {"question_id": drawn.question_id, "answer": drawn.answer, "confidence": drawn.confidence}
                for drawn in self.answers
            ],
            "coaching_note": {
                "positives": list(self.positives),
                "positive_score": self.positive_score,
                "improvements": list(self.improvements),
                "improvement_score": self.improvement_score,
            },
        }


def draw_reply(planting: Planting, user: str, key: str | None) -> Reply | None:
    """The reply to an Auto-QA user message; None is a refusal.

    `key` seeds the noise: the same message under the same key gets the same reply. Without one the message itself is
    the key, and repeats are equal. Raises PromptReadingError for a message that isn't an Auto-QA call.
    """
    reading = read_prompt(user)
    key = digest("no key", user) if key is None else key
    if fraction("refuse", planting.profile.seed, key) < planting.profile.refusal_probability:
        return None
    return reply_to(planting, reading, key)


def reply_to(planting: Planting, reading: PromptReading, key: str) -> Reply:
    """The reply to what was read."""
    known_by = fingerprint(reading.turns)
    ids = tuple(question.question_id for question in reading.questions)
    seed = planting.profile.seed
    moved = [
        (effect, _moves(seed, planting.channels[row], f"{row} {state}", known_by, effect.sensitive, ids))
        for row, state in at_work(planting, reading).items()
        for effect in (planting.effects[row],)
    ]
    return Reply(
        answers=tuple(
            _item(planting, question, known_by, key, [(effect, moves.items[place]) for effect, moves in moved])
            for place, question in enumerate(reading.questions)
        ),
        positives=_note("positives", planting.profile.seed, known_by),
        positive_score=_note_score(planting, 0, known_by, key, moved),
        improvements=_note("improvements", planting.profile.seed, known_by),
        improvement_score=_note_score(planting, 1, known_by, key, moved),
    )


def at_work(planting: Planting, reading: PromptReading) -> Mapping[str, str]:
    """The rows that move something in this arm, one a channel, each with its state."""
    first_seen: dict[str, tuple[str, str]] = {}
    sight = sight_of(reading, planting.inserted)
    for row, row_profile in planting.profile.rows.items():
        channel = planting.channels[row]
        if channel not in first_seen:
            state = state_of(row_profile.cue, sight)
            if state != ABSENT:
                first_seen[channel] = (row, state)
    return dict(first_seen.values())


@dataclass(frozen=True)
class _Moves:
    """What one row in one state does to a conversation.

    `items`: per question whether the answer turns, and the sign of the confidence's shift. `notes`: the signs of the
    shifts of the two scores in NOTES.
    """

    items: tuple[tuple[bool, int], ...]
    notes: tuple[int, int]


@lru_cache(maxsize=20_000)
def _moves(seed: int, channel: str, state: str, known_by: str, share: float, ids: tuple[str, ...]) -> _Moves:
    items = []
    for question_id in ids:
        # Sensitivity is the channel's, so that two of its rows, one in each arm, don't add up: the larger counts.
        sensitive = fraction("sensitive", seed, channel, known_by, question_id) < share
        coins = _bits("question", seed, channel, known_by, question_id, state)
        items.append((sensitive and bool(coins & 1), _sign(coins >> 1)))
    coins = _bits("note", seed, channel, known_by, state)
    return _Moves(tuple(items), (_sign(coins), _sign(coins >> 1)))


def _item(
    planting: Planting,
    question: PromptQuestion,
    known_by: str,
    key: str,
    moves: list[tuple[Effect, tuple[bool, int]]],
) -> DrawnAnswer:
    noise = planting.profile.robustness
    low, high = planting.base_ranges["confidence"]
    base = _base_item(planting.profile.seed, known_by, question.question_id)
    base_yes = base.yes < planting.profile.yes_rate
    error = _bits("error", planting.profile.seed, key, question.question_id)
    confidence = low + base.level * (high - low) + _sign(error) * noise.masd.confidence
    turned = (error >> 75) / (1 << 53) < planting.error
    for effect, (turns, sign) in moves:
        confidence += sign * effect.shifts.confidence
        turned ^= turns and (base_yes or not effect.only_yes)
    yes = base_yes != turned
    answer: Literal["yes", "no", "na"] = "yes" if yes else "no"
    if question.allow_na and base.na < planting.profile.na_rate:
        answer = "na"
    return DrawnAnswer(question.question_id, answer, round(confidence, 2))


@dataclass(frozen=True)
class _Base:
    """Three numbers in [0, 1) that fix what an item is like before anything moves it."""

    yes: float
    na: float
    level: float


@lru_cache(maxsize=50_000)
def _base_item(seed: int, known_by: str, question_id: str) -> _Base:
    return _Base(*(fraction("base", purpose, seed, known_by, question_id) for purpose in ("yes", "na", "level")))


def _note_score(planting: Planting, place: int, known_by: str, key: str, moved: list[tuple[Effect, _Moves]]) -> float:
    name = NOTES[place]
    low, high = planting.base_ranges[name]
    noise = planting.profile.robustness.masd.of(name)
    score: float = low + fraction("base", name, planting.profile.seed, known_by) * (high - low)
    score += _sign(_bits("error", name, planting.profile.seed, key)) * noise
    score += sum(moves.notes[place] * effect.shifts.of(name) for effect, moves in moved)
    return round(score, 2)


def _note(kind: str, seed: int, known_by: str) -> tuple[str, ...]:
    return (pick(_notes()[kind], "note", kind, seed, known_by),)


@cache
def _notes() -> Mapping[str, list[str]]:
    text = files("evaluators").joinpath("simulated", "data", "notes.toml").read_text(encoding="utf-8")
    notes: Mapping[str, list[str]] = tomllib.loads(text)
    return notes


def _bits(*parts: KeyPart) -> int:
    return int(digest(*parts), 16)


def _sign(bits: int) -> int:
    return 1 if bits & 1 else -1
