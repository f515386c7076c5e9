"""How the configuration wants figures made: when one is given at all, and what answers are worth on the form."""

from __future__ import annotations

from metrics import marking
from metrics.thresholds import Thresholds
from streams.rubric import form_of
from streams.settings import Settings


def thresholds_of(settings: Settings) -> Thresholds:
    """What a figure needs."""
    return Thresholds(
        comparisons=settings.metrics.minimum_comparisons,
        transcripts=settings.metrics.minimum_transcripts,
        precision=settings.metrics.precision,
    )


def marking_of(settings: Settings) -> marking.Marking:
    """How the configured rubric is marked. Raises SettingsError where it can't be read."""
    return marking.marking_of(form_of(settings))
