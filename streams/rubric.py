"""Which questions are asked about a transcript that brings none of its own."""

from __future__ import annotations

from evaluators.errors import RubricError
from evaluators.rubric import default_rubric, load_rubric
from perturbations.transcript import Question
from streams.settings import Settings, SettingsError


def rubric_of(settings: Settings) -> tuple[Question, ...]:
    """The configured rubric, or the one that comes with evenhand. Raises SettingsError."""
    if settings.rubric is None:
        return default_rubric()
    try:
        return load_rubric(settings.rubric)
    except RubricError as error:
        raise SettingsError(f"rubric: {error}") from None
