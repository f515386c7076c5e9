"""What a reply says: one table for each way in which a reply can be good, bad or in between."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluators.evaluation import Evaluation
from evaluators.replies.extract import NoObject, find_object, is_refusal
from evaluators.replies.parse import parse_reply, read_points, read_verdict
from tests.evaluators.builders import GOOD, make_questions, reply_text, verdicts

ONE = make_questions("greeting")
TWO = make_questions("greeting", "empathy")
YES_88 = '{"answer": "Yes", "confidence": 88}'


@pytest.mark.parametrize(
    ("value", "points"),
    [
        (85, 85), (85.0, 85), ("85", 85), ("85.0", 85), ("85%", 85), (" 85 % ", 85), ("85.5%", 85.5),
        (0, 0), (0.0, 0), ("0", 0), (-0.0, 0), (1, 1), (1.0, 1), ("1", 1), (100, 100), ("100%", 100),
        (0.9, None), ("0.9", None), ("0.9%", None), (0.0001, None),
        (-1, None), ("-1", None), (100.1, None), (101, None), ("101", None), (10**400, None),
        (float("nan"), None), (float("inf"), None), ("NaN", None), ("inf", None),
        (True, None), (False, None), (None, None), ([85], None), ({"value": 85}, None),
        ("", None), ("high", None),
        ("85 of 100", None), ("85/100", None), ("8,5", None), ("1e2", None), ("+85", None),
        ("٨٥", None), ("0085", None), ("85.", None), (".85", None), ("85%%", None),
    ],
)  # fmt: skip
def test_points(value: object, points: float | None) -> None:
    assert read_points(value) == points


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("yes", "yes"), ("Yes", "yes"), ("YES", "yes"), ("Yes.", "yes"), (" yes ", "yes"), ("NO.", "no"),
        ("yes - partly", None), ("yes, but", None), ("yes/no", None), ("yes no", None), ("not yes", None),
        ("y", None),
        ("Yes..", None), ("yes!", None), ("", None), (None, None), (True, None), (1, None), (["yes"], None),
        ("ja", None), ("maybe", None), ("true", None), ("n", None), ("none", None), ("nope", None), ("unknown", None),
    ],
)  # fmt: skip
def test_verdicts(value: object, verdict: str | None) -> None:
    assert read_verdict(value, allow_na=False) == verdict


@pytest.mark.parametrize("value", ["na", "NA", "n/a", "N/A", "not applicable", "Na."])
def test_na_only_where_the_question_allows_it(value: str) -> None:
    assert read_verdict(value, allow_na=True) == "na"
    assert read_verdict(value, allow_na=False) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (YES_88, ("yes", 88)),
        ("```json\n{\"answer\":\"Yes\",\"confidence\":88}\n```", ("yes", 88)),
        (f"```\n{YES_88}\n```", ("yes", 88)),
        (f"```JSON {YES_88}```", ("yes", 88)),
        (f"Here is my assessment:\n\n{YES_88}\n\nLet me know.", ("yes", 88)),
        (f"\ufeff{YES_88}", ("yes", 88)),
        ('{"answer":"Yes.","confidence":91}', ("yes", 91)),
        ('{"answer":"NO","confidence":"85%"}', ("no", 85)),
        ('{"answer":"Yes","confidence":70,"note":"a } and a { and \\" inside"}', ("yes", 70)),
        ('It reads {"answer":"Yes","confidence":70,"note":"a } and a { and \\"}"}.', ("yes", 70)),
        ('{"answers":[{"answer":"no","confidence":12}]}', ("no", 12)),
        ('<think>The form is {"answer":"No","confidence":90}, let me see.</think>{"answer":"Yes","confidence":70}',
         ("yes", 70)),
        ('The agent was {rude}. No.</think>\n{"answer":"Yes","confidence":70}', ("yes", 70)),
        ('<think>a</think><think>b {"answer":"No","confidence":1}</think>```\n{"answer":"Yes","confidence":70}\n```',
         ("yes", 70)),
        ('{"answer":"Yes","confidence":70,"note":"said <think> twice </think>"}', ("yes", 70)),
        ('Well: {"answer":"Yes","confidence":70,"note":"said <think> twice </think>"}', ("yes", 70)),
        ('{"answer":"Yes","confidence":70,"note":"line\nbreak"}', ("yes", 70)),
    ],
)  # fmt: skip
def test_one_question_read(text: str, expected: tuple[str, float]) -> None:
    reply = parse_reply(text, ONE)
    assert (reply.outcome, reply.reason) == ("ok", None)
    assert [(answer.answer, answer.confidence, answer.outcome) for answer in reply.answers] == [(*expected, "ok")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("yes", "no_object"),
        ("The agent greeted the customer, so yes, 90.", "no_object"),
        ("answer: yes, confidence: 88", "no_object"),
        ("88", "not_an_object"),
        ('"yes"', "not_an_object"),
        ("null", "not_an_object"),
        (f"[{YES_88}]", "not_an_object"),
        (f"So: [{YES_88}]", "not_an_object"),
        (json.dumps(YES_88), "not_an_object"),
        (YES_88 + YES_88, "two_objects"),
        (f"{YES_88}\nor rather\n" + YES_88.replace("Yes", "No"), "two_objects"),
        (f"<think>hm</think>{YES_88} <think>or</think> {YES_88}", "two_objects"),
        ("<think>" + YES_88, "cut_off"),
        ("<think>hm</think><think>" + YES_88, "cut_off"),
        ('{"answer":"Yes","confidence":8', "cut_off"),
        ('{"answers":[{"question_id":"greeting","answer":"yes","confidence":88}', "cut_off"),
        ('{"answer":"Yes","confidence":88,"note":"never ends}', "cut_off"),
        ('{"answer":"Yes","confidence":88}}', "not_json"),
        ('{"answer":"Yes","confidence":88,}', "not_json"),
        ("{'answer':'Yes','confidence':88}", "not_json"),
        ('{"answer":"Yes","confidence":88%}', "not_json"),
        ('{"answer":"Yes","confidence":088}', "not_json"),
        ('{"answer":"Yes", so "confidence":88}', "not_json"),
        ('see {rubric}: {"answer":"Yes","confidence":88}', "two_objects"),
        ('{"answer":"Yes","answer":"No","confidence":88}', "duplicate_key"),
        ('So: {"answer":"Yes","answer":"No","confidence":88}', "duplicate_key"),
        ('{"answer":"Yes","confidence":8,"confidence":88}', "duplicate_key"),
        ("[" * 100_000, "no_object"),
        ('{"a":' * 100_000, "cut_off"),
    ],
)  # fmt: skip
def test_nothing_to_read(text: str, reason: str) -> None:
    reply = parse_reply(text, ONE)
    assert (reply.outcome, reply.reason, reply.answers) == ("unparsed", reason, ())
    assert (reply.positive_score, reply.improvement_score, reply.notes) == (None, None, None)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer":"yes - partly","confidence":55}',
        '{"answer":"No","confidence":null}',
        '{"answer":"No"}',
        '{"answer":"No","confidence":NaN}',
        '{"answer":"No","confidence":Infinity}',
        '{"answer":"No","confidence":-Infinity}',
        '{"answer":"No","confidence":1e999}',
        '{"answer":"No","confidence":true}',
        '{"answer":"No","confidence":0.9}',
        '{"answer":"No","confidence":-5}',
        '{"answer":"No","confidence":101}',
        '{"answer":true,"confidence":88}',
        '{"answer":null,"confidence":88}',
        '{"confidence":88}',
        '{"answer":"na","confidence":88}',
        '{"answer":["yes"],"confidence":88}',
        '{"question_id":"other","answer":"yes","confidence":88}',
        '{"question_id":null,"answer":"yes","confidence":88}',
        '{"answer":"yes","confidence":88,"answers":[]}',
        '{"answers":{"greeting":{"answer":"yes","confidence":88}}}',
        '{"answers":[]}',
        '{"answers":null}',
        '{"answers":["yes"]}',
        '{"result":{"answer":"yes","confidence":88}}',
        "{}",
        '{"answer":"No","confidence":' + "9" * 5000 + "}",
    ],
)
def test_an_object_without_a_good_answer(text: str) -> None:
    reply = parse_reply(text, ONE)
    assert (reply.outcome, reply.reason) == ("unparsed", "no_good_answer")
    assert [(answer.answer, answer.confidence, answer.outcome) for answer in reply.answers] == [
        (None, None, "unparsed")
    ]


def test_a_reply_without_ids_is_taken_for_one_question_only() -> None:
    assert parse_reply(YES_88, ONE).outcome == "ok"
    assert parse_reply(YES_88, TWO).outcome == "unparsed"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        # One bad answer drops out alone.
        ([("greeting", "yes", 90), ("empathy", "maybe", 60)], [("yes", 90), None]),
        ([("greeting", "yes", None), ("empathy", "no", 60)], [None, ("no", 60)]),
        ([("greeting", "yes", 90)], [("yes", 90), None]),
        # Order and unknown ids make no difference.
        ([("empathy", "no", 60), ("other", "yes", 1), ("greeting", "yes", 90)], [("yes", 90), ("no", 60)]),
        # The same again is the same; another verdict or confidence is no answer.
        ([("greeting", "yes", 90), ("greeting", "Yes", "90%"), ("empathy", "no", 60)], [("yes", 90), ("no", 60)]),
        ([("greeting", "yes", 90), ("greeting", "no", 90), ("empathy", "no", 60)], [None, ("no", 60)]),
        ([("greeting", "yes", 90), ("greeting", "yes", 80), ("empathy", "no", 60)], [None, ("no", 60)]),
        ([("greeting", "yes", 90), ("greeting", "?", 90), ("empathy", "no", 60)], [None, ("no", 60)]),
        # A fraction is no points, and a 1 beside a fraction may be one as well.
        ([("greeting", "yes", 0.9), ("empathy", "no", 90)], [None, ("no", 90)]),
        ([("greeting", "yes", 0.9), ("empathy", "no", 1)], [None, None]),
        ([("greeting", "yes", "0.9"), ("empathy", "no", 1.0)], [None, None]),
        ([("greeting", "yes", 90), ("empathy", "no", 1)], [("yes", 90), ("no", 1)]),
        ([(" greeting ", "yes", 90), ("empathy", "no", 60)], [("yes", 90), ("no", 60)]),
        ([("Greeting", "yes", 90), ("empathy", "no", 60)], [None, ("no", 60)]),
    ],
)  # fmt: skip
def test_several_questions(entries: list[Any], expected: list[tuple[str, float] | None]) -> None:
    reply = parse_reply(reply_text(*entries), TWO)
    read = [(a.answer, a.confidence) if a.outcome == "ok" else None for a in reply.answers]
    assert read == expected
    assert [answer.question_id for answer in reply.answers] == ["greeting", "empathy"]
    assert reply.outcome == ("ok" if any(expected) else "unparsed")


def test_ids_that_are_numbers() -> None:
    reply = parse_reply('{"answers":[{"question_id":7,"answer":"yes","confidence":88}]}', make_questions("7", "8"))
    assert verdicts(reply.answers) == [("7", "yes", 88.0), ("8", None, None)]


def test_the_questions_own_fields_go_along() -> None:
    question = make_questions(
        "greeting", construct_relevant=("politeness",), human_answer="yes", production_answer="no", allow_na=True
    )
    for text in ('{"answer":"N/A","confidence":88}', "{}"):
        (answer,) = parse_reply(text, question).answers
        assert (answer.construct_relevant, answer.human_answer, answer.production_answer) == (
            ("politeness",), "yes", "no",
        )  # fmt: skip
    assert parse_reply('{"answer":"N/A","confidence":88}', question).answers[0].answer == "na"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("I'm sorry, I can't assess this agent.", "refused"),
        ("I\u2019m sorry, but I can\u2019t help with that.", "refused"),
        ("I cannot evaluate a person on this basis.", "refused"),
        ("I am unable to judge this conversation.", "refused"),
        ("As an AI, I am not able to assess people.", "refused"),
        ("I apologize, but I won't rate this employee.", "refused"),
        ('{"answer":"I\'m sorry, I can\'t assess this agent.","confidence":0}', "refused"),
        ("I'm sorry about the delay. The agent did greet.", "unparsed"),
        ("The agent said: I'm sorry, I can't find your account.", "unparsed"),
        ("Yes.", "unparsed"),
    ],
)
def test_refusals(text: str, outcome: str) -> None:
    reply = parse_reply(text, ONE)
    assert reply.outcome == outcome
    assert [answer.answer for answer in reply.answers] in ([], [None])


def test_the_providers_word_for_a_refusal_counts_whatever_the_text() -> None:
    assert parse_reply(GOOD, TWO, refused=True).outcome == "refused"
    assert parse_reply(GOOD, TWO, stop="refused").outcome == "refused"


def test_an_apology_inside_an_answer_is_no_refusal_of_the_rest() -> None:
    reply = parse_reply(reply_text(("greeting", "yes", 90), ("empathy", "I cannot assess this.", 0)), TWO)
    assert (reply.outcome, [answer.outcome for answer in reply.answers]) == ("ok", ["ok", "refused"])


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ('{"answer":"Yes","confidence":8', "truncated"),
        ('<think>The form is {"answer":"No","confidence":90}', "truncated"),
        ("The agent", "truncated"),
        ("", "truncated"),
        (f"My draft: {YES_88} Now the fi", "truncated"),
        (YES_88, "ok"),
        (f"{YES_88}\n\n\n", "ok"),
    ],
)
def test_stopped_at_the_limit(text: str, outcome: str) -> None:
    reply = parse_reply(text, ONE, stop="length")
    assert reply.outcome == outcome
    if outcome == "truncated":
        assert (reply.reason, reply.answers) == ("output", ())


@pytest.mark.parametrize(
    ("note", "read"),
    [
        ({"positives": ["a", "b"], "positive_score": 70, "improvements": [], "improvement_score": "30%"}, True),
        ({"positives": "a", "positive_score": 0, "improvements": [], "improvement_score": 100}, True),
        ({"positives": ["a"], "positive_score": 0.7, "improvements": [], "improvement_score": 30}, False),
        ({"positives": ["a"], "positive_score": 70, "improvements": [], "improvement_score": None}, False),
        ({"positives": ["a"], "positive_score": 170, "improvements": [], "improvement_score": 30}, False),
        ({"positives": ["a", 3], "positive_score": 70, "improvements": [], "improvement_score": 30}, False),
        ({"positive_score": 70, "improvement_score": 30}, False),
        ("well done", False),
        ([], False),
    ],
)
def test_a_bad_coaching_note_takes_its_scores_along_and_leaves_the_answers(note: object, read: bool) -> None:
    reply = parse_reply(reply_text(("greeting", "yes", 90), note=note), ONE)
    assert reply.outcome == "ok"
    assert (reply.notes_outcome, reply.notes is not None) == (("ok", True) if read else ("unparsed", False))
    scores = (reply.positive_score, reply.improvement_score)
    assert all(score is not None for score in scores) if read else scores == (None, None)


def test_a_missing_coaching_note() -> None:
    reply = parse_reply(YES_88, ONE)
    assert (reply.outcome, reply.notes_outcome, reply.positive_score) == ("ok", "unparsed", None)


def test_half_a_surrogate_pair_in_a_note_can_be_stored() -> None:
    note = '{"positives":["a\\ud800b"],"positive_score":1,"improvements":["\\ud83d\\ude00"],"improvement_score":2}'
    reply = parse_reply('{"answer":"Yes","confidence":88,"coaching_note":' + note + "}", ONE)
    assert reply.notes is not None
    assert (reply.notes.positives, reply.notes.improvements) == (("a\ufffdb",), ("\U0001f600",))
    evaluation = Evaluation(transcript_id="c", row="r", attribute="a", outcome="ok", notes=reply.notes)
    assert "\ufffd" in evaluation.model_dump_json()


def test_find_object_gives_the_object_as_it_stands() -> None:
    assert find_object('x {"a": {"b": [1, 2.5, "c"]}} y') == {"a": {"b": [1, 2.5, "c"]}}
    with pytest.raises(NoObject, match="not_json"):
        find_object("x {} y", complete_only=True)


def test_long_texts_take_no_long_time() -> None:
    assert parse_reply("{" * 200_000, ONE).reason == "cut_off"
    assert parse_reply("<think>" * 50_000 + "</think>" * 50_000 + YES_88, ONE).outcome == "ok"
    assert not is_refusal("a " * 500_000)
