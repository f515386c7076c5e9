"""Replies mutated at random: whatever is taken as an answer is the answer that was given."""

from __future__ import annotations

import json
import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.provider import StopReason
from evaluators.replies.parse import ParsedReply, parse_reply
from tests.evaluators.builders import make_questions, verdicts
from tests.examples import examples

IDS = ("greeting", "showed_empathy", "offered_further_help", "closing")
QUESTIONS = make_questions(*IDS)
TRUTH = {
    "greeting": ("yes", 90.0),
    "showed_empathy": ("no", 65.0),
    "offered_further_help": ("yes", 100.0),
    "closing": ("no", 12.0),
}
SCORES = (70.0, 30.0)
NOTE = {
    "positives": ['Said "welcome" {kindly}, then </think> went on.'],
    "positive_score": 70,
    "improvements": ["Answer yes or no; confidence 5."],
    "improvement_score": 30,
}
# Damage to a digit makes another number that nobody can tell from the true one; everything else must show.
NUMBER = re.compile(r"(?<=[:\s])\d+(?=[,}\s])")
NOISE = [*'{}[]",:\\`<>/ \n.-%abnosy', '"answer"', "null", "NaN", "<think>", "</think>", "```", "yes", "no", "\\u"]

OUTCOMES: Counter[str] = Counter()


def original(draw: random.Random) -> str:
    listed = [
        {"question_id": name, "answer": answer, "confidence": int(points)} for name, (answer, points) in TRUTH.items()
    ]
    draw.shuffle(listed)
    return json.dumps({"answers": listed, "coaching_note": NOTE}, indent=draw.choice([None, 2]))


def protected(text: str) -> set[int]:
    return {place for number in NUMBER.finditer(text) for place in range(number.start() - 1, number.end() + 1)}


def damaged(text: str, draw: random.Random) -> str:
    for _ in range(draw.randint(1, 3)):
        free = sorted(set(range(len(text))) - protected(text))
        if not free:
            return text
        place = draw.choice(free)
        kind = draw.randrange(3)
        if kind == 0:
            text = text[:place] + text[place + 1 :]
        elif kind == 1:
            text = text[:place] + draw.choice(NOISE) + text[place:]
        else:
            text = text[:place] + draw.choice(NOISE) + text[place + 1 :]
    return text


def wrapped(text: str, draw: random.Random) -> str:
    other = json.dumps({"answers": [{"question_id": "greeting", "answer": "no", "confidence": 1}]})
    return draw.choice(
        [
            f"```json\n{text}\n```",
            f"Here it is:\n{text}\nThe answer to greeting is no.",
            f"<think>Maybe {other}? Let me see.</think>{text}",
            f"Let me think. {other}</think>{text}",
            f"<think>{other}",
            f"{other}\n{text}",
            f"{text}\n{other}",
            f"<think>{text}</think>",
            f"[{other}, {text}]",
            f'{{"draft": {other}, "final": {text}}}',
            json.dumps(text),
        ]
    )


def check(reply: ParsedReply, text: str) -> None:
    OUTCOMES[reply.outcome] += 1
    for name, answer, confidence in verdicts(reply.answers):
        assert (answer is None and confidence is None) or (answer, confidence) == TRUTH[name], text
    if reply.outcome == "ok":
        assert any(answer.outcome == "ok" for answer in reply.answers)
    else:
        assert all(answer.answer is None for answer in reply.answers)
    assert (reply.positive_score, reply.improvement_score) in (SCORES, (None, None)), text


@pytest.mark.parametrize("seed", range(10))
def test_damaged_replies_never_give_a_wrong_answer(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(1_000):
        text = damaged(original(draw), draw)
        if draw.random() < 0.3:
            text = wrapped(text, draw)
        stop: StopReason = draw.choice(["stop", "length", "other"])
        check(parse_reply(text, QUESTIONS, stop=stop), text)


def test_the_damage_is_neither_too_light_nor_too_heavy() -> None:
    OUTCOMES.clear()
    draw = random.Random(99)
    for _ in range(500):
        text = damaged(original(draw), draw)
        check(parse_reply(text, QUESTIONS), text)
    assert OUTCOMES["ok"] > 50
    assert OUTCOMES["unparsed"] > 50


def test_a_reply_cut_at_any_place_gives_nothing() -> None:
    text = original(random.Random(1))
    for end in range(len(text)):
        for prefix in ("", "```json\n", "<think>so</think>"):
            assert parse_reply(prefix + text[:end], QUESTIONS, stop="length").outcome == "truncated"
            assert parse_reply(prefix + text[:end], QUESTIONS).outcome in ("unparsed", "refused")


def test_wrapping_alone_loses_nothing_that_is_unambiguous() -> None:
    draw = random.Random(3)
    text = original(draw)
    for whole in (f"```json\n{text}\n```", f"Here it is: {text} Good luck.", f"<think>So {{be}} it.</think>{text}"):
        reply = parse_reply(whole, QUESTIONS)
        assert {name: (answer, points) for name, answer, points in verdicts(reply.answers)} == TRUTH


@examples(5)
@given(st.text(max_size=300), st.sampled_from(["stop", "length", "refused", "other"]))
def test_no_text_without_an_object_is_an_answer(text: str, stop: StopReason) -> None:
    reply = parse_reply(text, QUESTIONS, stop=stop)
    assert reply.outcome != "ok" or "{" in text


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.sampled_from(["yes", "No.", "na", "85%", "0.9", "I'm sorry, I can't"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["answers", "answer", "confidence", "question_id", "coaching_note", *IDS]),
            inner | st.sampled_from(IDS),
            max_size=5,
        )
    ),
    max_leaves=20,
)


@examples(8)
@given(JSON)
def test_any_json_gives_a_record_that_holds_its_bounds(value: object) -> None:
    reply = parse_reply(json.dumps(value), QUESTIONS)
    for answer in reply.answers:
        assert (answer.outcome == "ok") == (answer.answer in ("yes", "no"))
        assert answer.confidence is None or answer.confidence == 0 or 1 <= answer.confidence <= 100
