"""What flips cost on the form."""

from __future__ import annotations

import pytest

from evaluators.questions.rubric import Form, FormQuestion
from metrics.figures.figures import row_figures
from metrics.figures.form_marking import EQUAL_WEIGHTS, FormMarking, FormMarks, form_marking, form_marks
from metrics.figures.thresholds import Thresholds
from perturbations.rows import ROWS
from tests.builders import make_pair

ALL = Thresholds(1, 1)
WEIGHTED = FormMarking(weights={"q1": 3.0, "q2": 1.0, "q3": 0.0}, auto_fail=frozenset({"q2"}), pass_mark=70.0)


@pytest.mark.parametrize(
    ("a", "b", "marking", "marks"),
    [
        ("yyyy", "yyyn", EQUAL_WEIGHTS, FormMarks(100, 75, True, True)),
        ("yyyy", "yynn", EQUAL_WEIGHTS, FormMarks(100, 50, True, False)),
        ("ayyn", "yyyn", EQUAL_WEIGHTS, FormMarks(200 / 3, 75, False, True)),
        ("yyn", "nyy", WEIGHTED, FormMarks(100, 25, True, False)),
        ("yyy", "yny", WEIGHTED, FormMarks(100, 75, True, False)),
        ("yyny", "yyyn", WEIGHTED, FormMarks(100, 80, True, True)),
        ("aay", "yyy", WEIGHTED, None),
        ("aaa", "yyy", EQUAL_WEIGHTS, None),
    ],
)
def test_marks(a: str, b: str, marking: FormMarking, marks: FormMarks | None) -> None:
    assert form_marks(make_pair(a, b), marking) == marks


def test_a_form_says_how_it_is_marked() -> None:
    form = Form(
        pass_mark=60,
        questions=(
            FormQuestion(question_id="q1", text="One?", weight=2, auto_fail=True),
            FormQuestion(question_id="q2", text="Two?"),
        ),
    )
    assert form_marking(form) == FormMarking({"q1": 2.0, "q2": 1.0}, frozenset({"q1"}), 60.0)


def test_a_rows_impact_by_hand() -> None:
    pairs = [
        make_pair("yyyy", "yynn", transcript_id="c-1"),
        make_pair("ynyn", "yyyn", transcript_id="c-2"),
        make_pair("yyyy", "yyyy", transcript_id="c-3"),
        make_pair("yyyy", "yyyn", transcript_id="c-4"),
    ]
    row = row_figures(ROWS["agent_gender"], pairs, needed=ALL)
    form = row.form
    assert (form.pairs, form.score_difference, form.signed) == (4, 25.0, -12.5)
    assert (form.pass_to_fail, form.fail_to_pass, form.pass_change) == (1, 1, 0.5)
    male, female = row.by_attribute
    assert (male.form_score.value, female.form_score.value) == (12.5, -12.5)
    assert (male.passes.value, female.passes.value, male.passes.count) == (0.0, 0.0, 4)
    assert male.passes.interval is not None
    strict = row_figures(ROWS["agent_gender"], pairs, needed=ALL, marking=FormMarking(pass_mark=80))
    assert (strict.form.pass_to_fail, strict.by_attribute[1].passes.value) == (2, -0.5)


def test_too_few() -> None:
    form = row_figures(ROWS["agent_gender"], [make_pair()]).form
    assert (form.pairs, form.score_difference, form.pass_change) == (1, None, None)
    assert form.reasons == {name: "too few (1 of 20) transcripts" for name in ("score_difference", "pass_change")}
