from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from statistics import fmean, stdev

import pytest

from evaluators.simulated.effect import ScoreName
from evaluators.simulated.planting import Planting, plant
from evaluators.simulated.profile import load_profile
from evaluators.simulated.profile_records import Noise, Profile
from evaluators.simulated.prompt_reading import PromptQuestion, PromptReading
from evaluators.simulated.reply_draw import DrawnAnswer, Reply, at_work, draw_reply, reply_to
from evaluators.simulated.truth import PlantedTruth, planted
from perturbations.records.transcript import Question, Turn
from tests.evaluators.builders import auto_qa_prompt

JUDGE = plant(
    load_profile(b"""
yes_rate = 0.8
na_rate = 0.2
[robustness]
flip_probability = 0.04
masd = { confidence = 3.0, positive = 2.0, improvement = 4.0 }
[rows.past_performance]
flip_probability = 0.09
masd = { confidence = 6.0, positive = 2.5, improvement = 15.0 }
cue = { kind = "header_line", prefixes = ["Trend:"] }
[rows.agent_profile]
flip_probability = 0.2
masd = { confidence = 4.0 }
cue = { kind = "header_line", prefixes = ["Role:"] }
[rows.agent_disability]
flip_probability = 0.3
masd = { confidence = 5.5, positive = 7.0, improvement = 4.0 }
cue = { kind = "agent_phrase", phrases = ["screen reader"] }
""")
)

CONVERSATIONS = 4000
QUESTIONS = tuple(PromptQuestion(f"q{number}", "Good?", allow_na=False) for number in range(5))

Arm = Callable[[int], PromptReading]


def make_reading(conversation: int, header: str | None = None, phrase: str = "Hello.") -> PromptReading:
    turns = (
        Turn(speaker="agent", text=phrase),
        Turn(speaker="customer", text=f"I want to know about my order number {conversation}"),
    )
    return PromptReading(QUESTIONS, header, turns)


def with_header(line: str) -> Arm:
    return lambda conversation: make_reading(conversation, header=f"Agent record\n{line}\nScores: 90")


def replies(arm: Arm, name: str, judge: Planting = JUDGE, *, count: int = CONVERSATIONS) -> list[Reply]:
    return [reply_to(judge, arm(number), f"{name}-{number}") for number in range(count)]


def plain(conversation: int) -> PromptReading:
    return make_reading(conversation)


def disabled(conversation: int) -> PromptReading:
    return make_reading(conversation, phrase="Please bear with me, I use a Screen Reader.")


def disabled_and_worse(conversation: int) -> PromptReading:
    return make_reading(conversation, header="Trend: worse", phrase="I use a screen reader.")


def assert_planted(first: list[Reply], second: list[Reply], truth: PlantedTruth) -> None:
    """The flips lie within 3.5 binomial standard deviations of the truth, the means within 3.5 standard errors."""
    flips = [a.answer != b.answer for x, y in zip(first, second, strict=True) for a, b in items(x, y)]
    assert fmean(flips) == pytest.approx(truth.cfr, abs=3.5 * sqrt(truth.cfr * (1 - truth.cfr) / len(flips)))
    pairs = list(zip(first, second, strict=True))
    differences_by_score: dict[ScoreName, list[float]] = {
        "confidence": [abs(a.confidence - b.confidence) for x, y in pairs for a, b in items(x, y)],
        "positive": [abs(x.positive_score - y.positive_score) for x, y in pairs],
        "improvement": [abs(x.improvement_score - y.improvement_score) for x, y in pairs],
    }
    for name, differences in differences_by_score.items():
        error = stdev(differences) / sqrt(len(differences))
        assert fmean(differences) == pytest.approx(truth.masd.of(name), abs=3.5 * error + 1e-6)


def items(x: Reply, y: Reply) -> Iterator[tuple[DrawnAnswer, DrawnAnswer]]:
    return zip(x.answers, y.answers, strict=True)


@pytest.mark.parametrize(
    ("row", "first", "second"),
    [
        ("robustness", plain, plain),
        ("robustness", with_header("Trend: worse"), with_header("Trend: worse")),
        ("politeness", plain, plain),
        ("past_performance", with_header("Trend: worse"), with_header("Trend: better")),
        ("past_performance", with_header("Trend: better"), with_header("Trend: the same")),
        ("agent_profile", with_header("Role: trainee"), with_header("Role: senior")),
        ("agent_disability", plain, disabled),
        ("agent_disability", with_header("Trend: worse"), disabled_and_worse),
    ],
)
def test_the_planted_figures_are_observed(row: str, first: Arm, second: Arm) -> None:
    assert_planted(replies(first, "first"), replies(second, "second"), planted(JUDGE.profile, row))


def test_the_original_without_a_header_has_a_truth_of_its_own() -> None:
    truth = planted(JUDGE.profile, "past_performance", "original")
    assert_planted(replies(plain, "first"), replies(with_header("Trend: worse"), "second"), truth)


def test_two_rows_that_change_at_once_are_told_from_one() -> None:
    with pytest.raises(AssertionError):
        assert_planted(
            replies(plain, "first"), replies(disabled_and_worse, "second"), planted(JUDGE.profile, "agent_disability")
        )


def test_scores_stay_inside_and_no_number_is_a_fraction() -> None:
    for arm in (plain, disabled_and_worse):
        for reply in replies(arm, "scores", count=500):
            scores = [*(item.confidence for item in reply.answers), reply.positive_score, reply.improvement_score]
            assert all(1 <= score <= 100 and score == round(score, 2) for score in scores)


def test_the_rate_of_yes_is_the_profile_s() -> None:
    quiet = plant(Profile(yes_rate=0.8))
    answers = [item.answer == "yes" for reply in replies(plain, "rate", quiet) for item in reply.answers]
    assert fmean(answers) == pytest.approx(0.8, abs=3.5 * sqrt(0.16 / len(answers)))


def test_na_stands_in_every_arm_and_only_where_it_is_allowed() -> None:
    asked = [Question(question_id=f"q{n}", text="Good?", allow_na=n % 2 == 0) for n in range(200)]
    said = [Turn(speaker="customer", text="I want to know about my order number 3")]
    na = []
    for header in (None, "Trend: worse", "Trend: better"):
        reply = draw_reply(JUDGE, auto_qa_prompt(asked, said, header).user, f"key {header}")
        assert reply is not None
        na.append([item.question_id for item in reply.answers if item.answer == "na"])
    assert na[0] == na[1] == na[2]
    assert all(int(question_id[1:]) % 2 == 0 for question_id in na[0])
    assert 8 <= len(na[0]) <= 32


def test_the_key_draws_the_noise_and_nothing_else() -> None:
    quiet = plant(JUDGE.profile.model_copy(update={"robustness": Noise()}))
    reading = make_reading(1, header="Trend: worse")
    assert reply_to(JUDGE, reading, "a") == reply_to(JUDGE, reading, "a")
    assert reply_to(JUDGE, reading, "a") != reply_to(JUDGE, reading, "b")
    assert reply_to(quiet, reading, "a") == reply_to(quiet, reading, "b")


def test_other_wording_outside_the_cue_moves_nothing() -> None:
    placebo = make_reading(1, header="Another layout\nScores: 70, 71\nTrend: worse")
    assert reply_to(JUDGE, placebo, "a") == reply_to(JUDGE, make_reading(1, header="Trend: worse"), "a")


def test_questions_are_answered_alike_in_any_order_and_number() -> None:
    reading = make_reading(7, header="Trend: worse")
    whole = {item.question_id: item for item in reply_to(JUDGE, reading, "a").answers}
    for question in reversed(reading.questions):
        alone = reply_to(JUDGE, PromptReading((question,), reading.header, reading.turns), "a")
        assert alone.answers == (whole[question.question_id],)


def test_another_seed_is_another_world() -> None:
    other = plant(JUDGE.profile.model_copy(update={"seed": 1}))
    first, second = replies(plain, "first", count=50), replies(plain, "first", other, count=50)
    assert [reply.answers for reply in first] != [reply.answers for reply in second]


def test_refusals_are_drawn_by_the_key() -> None:
    judge = plant(Profile(refusal_probability=0.25))
    user = auto_qa_prompt([Question(question_id="q", text="Good?")], [Turn(speaker="agent", text="hi")], None).user
    refused = [draw_reply(judge, user, f"key {number}") is None for number in range(1000)]
    assert refused == [draw_reply(judge, user, f"key {number}") is None for number in range(1000)]
    assert 200 <= sum(refused) <= 300


NAMED = plant(
    load_profile(b"""
[rows.agent_religion_name]
flip_probability = 0.3
cue = { kind = "agent_phrase", phrases = ["my name is ali", "my name is mark"] }
channel = "name"
[rows.agent_ethnicity_name]
flip_probability = 0.2
masd = { improvement = 45.0 }
cue = { kind = "agent_phrase", phrases = ["my name is ali", "my name is jose"] }
channel = "name"
[rows.agent_gender]
flip_probability = 0.2
masd = { improvement = 4.0 }
cue = { kind = "agent_phrase", phrases = ["my name is ali", "my name is jose"] }
""")
)


def test_the_first_row_of_a_channel_that_sees_something_decides() -> None:
    names = {"ali": "agent_religion_name", "jose": "agent_ethnicity_name", "ann": None}
    for name, row in names.items():
        seen = at_work(NAMED, make_reading(1, phrase=f"my name is {name}"))
        assert set(seen) - {"agent_gender"} == ({row} if row else set())


def test_rows_of_a_channel_do_not_add_up() -> None:
    # The religion of one arm against the ethnicity of the other: the larger of both probabilities.
    first = replies(lambda number: make_reading(number, phrase="my name is mark"), "first", NAMED)
    judge = plant(NAMED.profile.model_copy(update={"rows": dict(list(NAMED.profile.rows.items())[:2])}))
    second = replies(lambda number: make_reading(number, phrase="my name is jose"), "second", judge)
    flips = [a.answer != b.answer for x, y in zip(first, second, strict=True) for a, b in items(x, y)]
    assert fmean(flips) == pytest.approx(0.3, abs=3.5 * sqrt(0.3 * 0.7 / len(flips)))


def test_a_channel_needs_the_room_of_its_largest_row_alone() -> None:
    low, high = NAMED.base_ranges["improvement"]
    assert (low, high) == pytest.approx((1 + 49, 100 - 49))
