"""The names that are drawn, by group: a list of this package or a user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel

from perturbations.records.reading import OWN
from perturbations.records.transcript import Gender
from perturbations.rows import ROWS
from perturbations.text.word import fold

NameKind = Literal["first", "last"]
NameGender = Literal["female", "male", "any"]

KINDS: tuple[NameKind, ...] = get_args(NameKind)
GENDERS: tuple[NameGender, ...] = get_args(NameGender)

COMMON = "common"
"""The group of first names that say little about group: for agents whose own group isn't known."""

DIMENSION_GROUPS = {row.dimension: row.attributes for row in ROWS.values() if row.named_by == "group"}
"""The groups between which a dimension tells apart."""

GROUPS = (*(group for groups in DIMENSION_GROUPS.values() for group in groups), COMMON)
"""Every group that a name may stand in."""


class Name(BaseModel):
    """One name of a list. `bearers` is how many people bear it (US Census 2020), None where that isn't known."""

    model_config = OWN

    name: str
    kind: NameKind
    gender: NameGender
    group: str
    bearers: int | None = None
    source: str = ""

    @property
    def key(self) -> str:
        """The name as it is compared: lower case, no accents."""
        return fold(self.name)


@dataclass(frozen=True)
class NameLists:
    """Names by group, checked."""

    names: tuple[Name, ...]

    def firsts(self, group: str, gender: Gender) -> list[Name]:
        """First names of a group that this gender alone bears.

        Beside a name that tells a gender, one that both genders bear would be a change of gender too.
        """
        return [each for each in self.names if each.group == group and each.kind == "first" and each.gender == gender]

    def lasts(self, group: str) -> list[Name]:
        """Surnames of a group."""
        return [each for each in self.names if each.group == group and each.kind == "last"]

    def group_of(self, key: str, kind: NameKind, groups: Sequence[str]) -> str | None:
        """The first of these groups in which this name stands."""
        listed = {each.group for each in self.names if each.kind == kind and each.key == key}
        return next((group for group in groups if group in listed), None)
