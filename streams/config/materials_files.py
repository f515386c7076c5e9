"""Which names, cues and headers variants are written with."""

from __future__ import annotations

from pathlib import Path

from perturbations.materials import Materials, Sources, read_materials
from perturbations.source import MaterialsError, Source
from streams.config.errors import SettingsError
from streams.config.sections import PerturbationSettings


def materials_of(settings: PerturbationSettings) -> Materials:
    """The configured materials, read and checked. Raises SettingsError with file, line and what is allowed."""
    own_cues = {
        "ethnicity_cues.csv": _source("ethnicity_cues", settings.ethnicity_cues),
        "religion_cues.csv": _source("religion_cues", settings.religion_cues),
        "disability.csv": _source("disability_cues", settings.disability_cues),
    }
    sources = Sources(
        names=_source("names", settings.names),
        cues={file: source for file, source in own_cues.items() if source is not None},
        headers=_source("headers", settings.headers),
    )
    try:
        return read_materials(sources)
    except MaterialsError as error:
        raise SettingsError(f"perturbations: {error}") from None


def _source(key: str, path: Path | None) -> Source | None:
    if path is None:
        return None
    try:
        return Source(str(path), path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"perturbations.{key}: can't read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        message = f"perturbations.{key}: {path}: byte {error.start} is not UTF-8; save the file as UTF-8"
        raise SettingsError(message) from None
