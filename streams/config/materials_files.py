"""Which names, cues and headers variants are written with."""

from __future__ import annotations

from pathlib import Path

from perturbations.materials import Materials, Sources, read_materials
from perturbations.source import MaterialsError, Source
from streams.config.errors import SettingsError
from streams.config.sections import PerturbationSettings


def materials_of(settings: PerturbationSettings) -> Materials:
    """The configured materials, read and checked. Raises SettingsError with file, line and what is allowed."""
    files = {name: getattr(settings, name) for name in Sources.__dataclass_fields__}
    sources = Sources(**{name: _source(f"perturbations.{name}", path) for name, path in files.items() if path})
    try:
        return read_materials(sources)
    except MaterialsError as error:
        raise SettingsError(f"perturbations: {error}") from None


def _source(key: str, path: Path) -> Source:
    try:
        return Source(str(path), path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{key}: can't read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{key}: {path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
