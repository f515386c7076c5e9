"""What variants are written with: names, cues and headers, this package's or a user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from perturbations.context.header_words import HeaderRow, own_headers, read_headers
from perturbations.identity.cues import Frame, read_frames
from perturbations.identity.disability_cues import DisabilityCue, read_disability_cues
from perturbations.identity.name_lists import own_lists, read_lists
from perturbations.identity.names import DIMENSION_GROUPS, NameLists
from perturbations.records.hashing import digest
from perturbations.source import Source, packaged


@dataclass(frozen=True)
class Sources:
    """A user's own files; None is what comes with this package."""

    names: Source | None = None
    ethnicity_cues: Source | None = None
    religion_cues: Source | None = None
    disability_cues: Source | None = None
    headers: Source | None = None


@dataclass(frozen=True)
class Materials:
    """Names, remarks and headers, read and checked. `hash` tells two sets of them apart."""

    names: NameLists
    ethnicity_cues: tuple[Frame, ...]
    religion_cues: tuple[Frame, ...]
    disability_cues: tuple[DisabilityCue, ...]
    headers: Mapping[str, HeaderRow]
    hash: str


@cache
def own_materials() -> Materials:
    """What comes with this package."""
    return read_materials(Sources())


def read_materials(sources: Sources) -> Materials:
    """The materials of these files, the package's own in the place of those that are None.

    Names replace the groups that they name and headers the rows that they hold; a file of cues replaces the
    package's whole. Raises MaterialsError with every fault of the first file that has any.
    """
    ethnicity_cues = sources.ethnicity_cues or packaged("ethnicity_cues.csv")
    religion_cues = sources.religion_cues or packaged("religion_cues.csv")
    disability_cues = sources.disability_cues or packaged("disability.csv")
    used = (packaged("names.csv"), sources.names, ethnicity_cues, religion_cues, disability_cues)
    headers = (packaged("headers.toml"), sources.headers)
    return Materials(
        names=own_lists() if sources.names is None else read_lists(sources.names, base=own_lists()),
        ethnicity_cues=read_frames(ethnicity_cues, DIMENSION_GROUPS["agent_ethnicity"]),
        religion_cues=read_frames(religion_cues, DIMENSION_GROUPS["agent_religion"]),
        disability_cues=read_disability_cues(disability_cues),
        headers=own_headers() if sources.headers is None else read_headers(sources.headers, base=own_headers()),
        hash=digest(*(None if source is None else source.text for source in (*used, *headers))),
    )
