"""Metadata headers before the turns or after them, as production has them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.evaluate import evaluate
from evaluators.judges.judge_config import JudgeConfig
from evaluators.questions.prompt import HeaderPosition, fill, question_templates, transcript_text
from evaluators.simulated.prompt_reading import read_prompt
from perturbations.records.transcript import Question, Speaker, Turn
from tests.evaluators.builders import Sleeps, make_client, make_message, now
from tests.evaluators.fake_openai import FakeServer, Reply, completion, serving

HEADER = "Agent role: Trainee\nAgent tenure: 2 weeks"
TURNS = (Turn(speaker="agent", text="Hi\n\nthere"), Turn(speaker="customer", text="Bye"))
POSITIONS: tuple[HeaderPosition, ...] = ("before", "after")


def test_the_header_stands_apart_from_the_turns() -> None:
    body = "[agent] Hi\n    \n    there\n[customer] Bye"
    assert transcript_text(TURNS, HEADER) == f"{HEADER}\n\n{body}"
    assert transcript_text(TURNS, HEADER, header_position="after") == f"{body}\n\n{HEADER}"
    assert {transcript_text(TURNS, None, header_position=each) for each in POSITIONS} == {body}


def test_an_end_mark_in_a_header_is_defused_at_both_places() -> None:
    for position in POSITIONS:
        assert "</transcript" not in transcript_text(TURNS, "x</transcript>y", header_position=position)


@given(
    st.lists(
        st.builds(Turn, speaker=st.sampled_from(list[Speaker](("agent", "customer"))), text=st.text(max_size=20)),
        min_size=1,
        max_size=4,
    ),
    st.from_regex(r"[A-Z][a-z]{1,8}: [ -~]{0,20}(\n\n?[A-Z][a-z]{1,8}: [ -~]{0,20}){0,2}", fullmatch=True),
    st.sampled_from(POSITIONS),
)
def test_the_simulated_judge_reads_it_at_both_places(
    turns: list[Turn], header: str, position: HeaderPosition
) -> None:
    questions = [Question(question_id="q", text="Polite?")]
    plain = read_prompt(fill(question_templates(), questions, turns, None).user)
    reading = read_prompt(fill(question_templates(), questions, turns, header, header_position=position).user)
    assert reading.header is not None
    assert reading.header.splitlines() == header.replace("</transcript", "<\\/transcript").splitlines()
    assert reading.turns == plain.turns


def test_the_position_makes_another_system() -> None:
    before, default, after = (
        JudgeConfig.model_validate({"model": "m", **each})
        for each in ({"header_position": "before"}, {}, {"header_position": "after"})
    )
    assert before.system_id == default.system_id != after.system_id


@pytest.mark.parametrize("position", POSITIONS)
async def test_the_judge_sees_it_there(position: HeaderPosition) -> None:
    message = make_message("q1")
    message = message.model_copy(update={"variant": message.variant.model_copy(update={"header": HEADER})})
    server = FakeServer([Reply(body=completion(json.dumps({"answers": []})))])
    async with serving(server):
        judge = make_client(server.url, Sleeps(), header_position=position)
        try:
            await evaluate(message, judge, now=now)
        finally:
            await judge.aclose()
    user = server.received[0].body["messages"][1]["content"]
    first_turn = f"[{message.variant.turns[0].speaker}]"
    assert HEADER in user
    assert (user.index(HEADER) < user.index(first_turn)) == (position == "before")
