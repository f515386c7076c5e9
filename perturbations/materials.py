"""What variants are written with: names, cues and headers, this package's or a user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from perturbations.context.header_words import HeaderRow, own_headers, read_headers
from perturbations.identity.disclosures import Disclosures, read_disclosures
from perturbations.identity.group_cues import GroupCues, read_frames
from perturbations.identity.name_lists import own_lists, read_lists
from perturbations.identity.names import NameLists
from perturbations.identity.remark import Remarks
from perturbations.records.hashing import digest
from perturbations.rows import ROWS, Row
from perturbations.source import Source, packaged

CUES: Mapping[str, Row] = {row.cues: row for row in ROWS.values() if row.cues is not None}
"""The files of cues that come with this package, each with the row that draws from it."""


@dataclass(frozen=True)
class Sources:
    """A user's own files; None is what comes with this package. `cues`: by the file of CUES that each replaces."""

    names: Source | None = None
    cues: Mapping[str, Source] = field(default_factory=dict)
    headers: Source | None = None


@dataclass(frozen=True)
class Materials:
    """Names, cues (by the files of CUES) and headers (by row), read and checked; `hash` tells two sets apart."""

    names: NameLists
    cues: Mapping[str, Remarks]
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
    cues = {file: sources.cues.get(file) or packaged(file) for file in CUES}
    used = (packaged("names.csv"), sources.names, *cues.values(), packaged("headers.toml"), sources.headers)
    return Materials(
        names=own_lists() if sources.names is None else read_lists(sources.names, base=own_lists()),
        cues={file: _read_cues(source, CUES[file]) for file, source in cues.items()},
        headers=own_headers() if sources.headers is None else read_headers(sources.headers, base=own_headers()),
        hash=digest(*(None if source is None else source.text for source in used)),
    )


def _read_cues(source: Source, row: Row) -> Remarks:
    """A wording for every attribute; where one is the original, wordings that tell the other."""
    if row.original_attribute is None:
        return GroupCues(read_frames(source, row.attributes))
    return Disclosures(read_disclosures(source))
