from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from evaluators.errors import RubricError
from evaluators.questions.rubric import default_form, load_form, read_form
from perturbations.rows import ROWS

ONE = '[[questions]]\nquestion_id = "greeting"\ntext = "Did the agent greet?"\n'


def test_the_default_has_30_questions_in_6_categories() -> None:
    form = default_form()
    assert Counter(item.kind for item in form.questions) == {"subjective": 20, "objective": 10}
    assert len({item.question_id for item in form.questions}) == 30
    assert len({item.text for item in form.questions}) == 30
    kinds: dict[str, set[str]] = {}
    for item in form.questions:
        kinds.setdefault(item.category, set()).add(item.kind)
    assert Counter(next(iter(kind)) for kind in kinds.values()) == {"subjective": 4, "objective": 2}
    assert all(len(kind) == 1 for kind in kinds.values())
    assert any(item.auto_fail for item in form.questions)


def test_the_default_marks_the_style_rows_that_questions_ask_about() -> None:
    questions = [item.question for item in default_form().questions]
    marked = {row for question in questions for row in question.construct_relevant}
    assert marked == {"communicative_style", "politeness", "formality", "emotional_labor"}
    relevant = {question.question_id: question.construct_relevant for question in questions}
    assert relevant["showed_empathy"] == ("emotional_labor",)
    assert relevant["courteous"] == ("politeness",)
    assert relevant["professional_tone"] == ("formality",)
    assert relevant["to_the_point"] == ("communicative_style",)


def test_a_teams_own_form(tmp_path: Path) -> None:
    path = tmp_path / "form.toml"
    path.write_text(f'pass_mark = 60\n{ONE}allow_na = true\nweight = 3\nconstruct_relevant = ["politeness"]\n')
    form = load_form(path)
    assert (form.pass_mark, form.questions[0].weight) == (60.0, 3.0)
    (question,) = (item.question for item in form.questions)
    assert (question.question_id, question.allow_na, question.kind) == ("greeting", True, "subjective")
    assert question.construct_relevant == ("politeness",)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("questions = [", ["form.toml", "is not TOML"]),
        ("", ["form.toml", "questions", "required"]),
        ("questions = []", ["form.toml", "questions", "at least 1"]),
        (ONE + ONE, ["form.toml", "'greeting'", "twice"]),
        (ONE + "wieght = 2\n", ["form.toml", "'greeting'", "'wieght'", "weight", "auto_fail"]),
        ("passmark = 3\n" + ONE, ["form.toml", "'passmark'", "pass_mark"]),
        (ONE + 'kind = "soft"\n', ["form.toml", "'greeting'", "kind", "'objective' or 'subjective'"]),
        (ONE + 'construct_relevant = ["empathy"]\n', ["form.toml", "'greeting'", "'empathy'", *ROWS]),
        (ONE + "weight = -1\n", ["form.toml", "'greeting'", "weight", "greater than or equal to 0"]),
        (ONE + "weight = 0\n", ["form.toml", "weights are 0"]),
        ('[[questions]]\ntext = "Did?"\n', ["form.toml", "number 1", "question_id"]),
        (ONE + '[[questions]]\nquestion_id = " x"\ntext = "Did?"\n', ["form.toml", "' x'", "question_id"]),
        ("pass_mark = 101\n" + ONE, ["form.toml", "pass_mark", "100"]),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(text: str, parts: list[str]) -> None:
    with pytest.raises(RubricError) as caught:
        read_form(text, "form.toml")
    assert [part for part in parts if part not in str(caught.value)] == []


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match=r"none\.toml.*No such file"):
        load_form(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'text = "\xe9"')
    with pytest.raises(RubricError, match=r"latin\.toml.*UTF-8"):
        load_form(tmp_path / "latin.toml")
