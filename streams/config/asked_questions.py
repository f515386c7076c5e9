"""Which questions are asked about a transcript that brings none of its own."""

from __future__ import annotations

from evaluators.errors import RubricError
from evaluators.questions.rubric import Form, default_form, load_form
from perturbations.records.transcript import Question
from streams.config.settings import Settings, SettingsError


def rubric_of(settings: Settings) -> tuple[Question, ...]:
    """The configured rubric's questions, or those that come with evenhand. Raises SettingsError."""
    return tuple(item.question for item in form_of(settings).questions)


def form_of(settings: Settings) -> Form:
    """The configured form with its weights, or the one that comes with evenhand. Raises SettingsError."""
    if settings.rubric is None:
        return default_form()
    try:
        return load_form(settings.rubric)
    except RubricError as error:
        raise SettingsError(f"rubric: {error}") from None
