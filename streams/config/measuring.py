"""How the configuration wants figures made: when one is given at all, and what answers are worth on the form."""

from __future__ import annotations

from metrics.figures.form_marking import FormMarking, form_marking
from metrics.figures.thresholds import Thresholds
from streams.config.asked_questions import form_of
from streams.config.settings import Settings


def thresholds_of(settings: Settings) -> Thresholds:
    """What a figure needs."""
    return Thresholds(
        comparisons=settings.metrics.minimum_comparisons,
        transcripts=settings.metrics.minimum_transcripts,
        precision=settings.metrics.precision,
    )


def marking_of(settings: Settings) -> FormMarking:
    """How the configured rubric is marked. Raises SettingsError where it can't be read."""
    return form_marking(form_of(settings))
