"""Rubrics: the questions of a QA form with their weights, from a file that a team can write for itself."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluators.errors import RubricError
from perturbations.records.transcript import Question
from perturbations.rows import ROWS

_FORM = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class FormQuestion(BaseModel):
    """One question of a form: what the judge is asked, and what the answer counts for.

    `weight` is the question's share of the form score; a `no` to an `auto_fail` question fails the whole form.
    """

    model_config = _FORM

    question_id: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^\S(.*\S)?$")]
    text: Annotated[str, Field(min_length=1)]
    category: str = ""
    kind: Literal["objective", "subjective"] = "subjective"
    construct_relevant: tuple[str, ...] = ()
    allow_na: bool = False
    weight: Annotated[float, Field(ge=0)] = 1.0
    auto_fail: bool = False

    @property
    def question(self) -> Question:
        """What the judge is asked."""
        return Question(
            question_id=self.question_id,
            text=self.text,
            kind=self.kind,
            construct_relevant=self.construct_relevant,
            allow_na=self.allow_na,
        )


class Form(BaseModel):
    """A whole QA form. `pass_mark` is the share of the weights, in percent, that passes."""

    model_config = _FORM

    pass_mark: Annotated[float, Field(ge=0, le=100)] = 75.0
    questions: Annotated[tuple[FormQuestion, ...], Field(min_length=1)]


@cache
def default_form() -> Form:
    """The 30 questions, with their weights, that are asked where neither configuration nor transcript has its own."""
    return read_form(files("evaluators.questions").joinpath("rubric.toml").read_text(encoding="utf-8"), "rubric.toml")


def load_form(path: Path) -> Form:
    """A team's own form from a TOML file: `pass_mark` and one `[[questions]]` for each question.

    Raises RubricError where the file can't be read or something in it isn't allowed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RubricError(f"{path}: can't be read ({error.strerror}); give the path of a TOML file") from None
    except UnicodeDecodeError as error:
        raise RubricError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    return read_form(text, str(path))


def read_form(text: str, name: str) -> Form:
    """The form in a TOML text; `name` is what errors call it. Raises RubricError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RubricError(f"{name}: is not TOML: {error}") from None
    try:
        form = Form.model_validate(data)
    except ValidationError as error:
        raise RubricError(_described(name, data, error)) from None
    _check(form.questions, name)
    return form


def _check(items: Sequence[FormQuestion], name: str) -> None:
    seen: set[str] = set()
    for item in items:
        where = f"{name}: question {item.question_id!r}"
        if item.question_id in seen:
            raise RubricError(f"{where} stands twice; each question_id is allowed once")
        seen.add(item.question_id)
        unknown = [row for row in item.construct_relevant if row not in ROWS]
        if unknown:
            raise RubricError(f"{where}: construct_relevant has no row {unknown[0]!r}; allowed are {', '.join(ROWS)}")
    if not any(item.weight for item in items):
        raise RubricError(f"{name}: all weights are 0; at least one must be above 0")


def _described(name: str, data: dict[str, Any], error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False)[0]
    place = problem["loc"]
    where = name
    if len(place) > 1 and place[0] == "questions":
        where = f"{name}: question {_called(data, place[1])}"
        place = place[2:]
    key = ".".join(str(step) for step in place)
    if problem["type"] == "extra_forbidden":
        model = FormQuestion if where != name else Form
        return f"{where}: no such key {key!r}; allowed are {', '.join(model.model_fields)}"
    return f"{where}: {key + ': ' if key else ''}{problem['msg']}"


def _called(data: dict[str, Any], index: int | str) -> str:
    """The question's id where it has one, else its number in the file."""
    entry = data["questions"][index] if isinstance(index, int) else None
    given = entry.get("question_id") if isinstance(entry, dict) else None
    return repr(given) if isinstance(given, str) else f"number {int(index) + 1}"
