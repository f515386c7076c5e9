"""The configured form: which questions are asked, and what their answers are worth."""

from __future__ import annotations

from evaluators.errors import RubricError
from evaluators.questions.rubric import Form, default_form, load_form
from metrics.figures.form_marking import FormMarking, form_marking
from perturbations.records.transcript import Question
from streams.config.errors import SettingsError
from streams.config.settings import Settings


def form_of(settings: Settings) -> Form:
    """The configured form with its weights, or the one that comes with evenhand. Raises SettingsError."""
    if settings.rubric is None:
        return default_form()
    try:
        return load_form(settings.rubric)
    except RubricError as error:
        raise SettingsError(f"rubric: {error}") from None


def rubric_of(settings: Settings) -> tuple[Question, ...]:
    """What is asked about a transcript that brings no questions of its own. Raises SettingsError."""
    return tuple(item.question for item in form_of(settings).questions)


def marking_of(settings: Settings) -> FormMarking:
    """How the form is marked. Raises SettingsError."""
    return form_marking(form_of(settings))
