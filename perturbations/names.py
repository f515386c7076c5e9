"""The names that are drawn, by group: a list of this package or a user's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from pydantic import BaseModel

from perturbations.data_file import read_rows
from perturbations.lexicon import not_names, ordinary_words
from perturbations.records import OWN
from perturbations.rows import ROWS
from perturbations.transcript import Gender
from perturbations.word import fold

NameKind = Literal["first", "last"]

COMMON = "common"
"""The group of first names that say little about group: for agents whose own group isn't known."""

DIMENSION_GROUPS = {
    "agent_ethnicity": ROWS["agent_ethnicity_name"].attributes,
    "agent_religion": ROWS["agent_religion_name"].attributes,
}
"""The groups between which a dimension tells apart."""

LEAST = 4
"""A group needs as many names of a kind and gender: the arm's and the placebo's, and room for what can't be used."""


class NameListError(ValueError):
    """Lists of names that can't be used; the message has one line for each fault."""


class Name(BaseModel):
    """One name of a list. `bearers` is how many people bear it (US Census 2020), None where that isn't known."""

    model_config = OWN

    name: str
    kind: NameKind
    gender: Literal["female", "male", "any"]
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
        found = {each.group for each in self.names if each.kind == kind and each.key == key}
        return next((group for group in groups if group in found), None)


def read_lists(rows: Iterable[dict[str, str]]) -> NameLists:
    """Name lists from rows with the columns name, kind, gender, group and optionally bearers and source.

    Raises NameListError where `check_names` finds a fault.
    """
    names = tuple(
        Name(
            name=row["name"].strip(),
            kind=cast(NameKind, row["kind"]),
            gender=cast(Literal["female", "male", "any"], row["gender"]),
            group=row["group"],
            bearers=int(row["bearers"]) if row.get("bearers") else None,
            source=row.get("source") or "",
        )
        for row in rows
    )
    faults = check_names(names)
    if faults:
        raise NameListError("\n".join(faults))
    return NameLists(names)


def check_names(names: Sequence[Name]) -> list[str]:
    """What is wrong with these lists, a line for each fault; empty where they can be used.

    A name that stands in two groups of one dimension leaks: its arm can't be told from the other's. A name that is
    an ordinary word ("will") would be ambiguous in lower-case text. A name is one word. Each group needs names of
    each gender and surnames, or none at all.
    """
    return [*_leaks(names), *_words(names), *_gaps(names)]


def _leaks(names: Sequence[Name]) -> list[str]:
    faults: list[str] = []
    for dimension, groups in DIMENSION_GROUPS.items():
        seen: dict[tuple[str, str], str] = {}
        for each in names:
            if each.group not in groups:
                continue
            group = seen.setdefault((each.kind, each.key), each.group)
            if group != each.group:
                faults.append(
                    f"{each.name} ({each.kind}) stands in two groups of {dimension}: {group} and {each.group}"
                )
    common: dict[tuple[str, str], str] = {}
    for each in names:
        if each.kind == "first" and each.gender != common.setdefault((each.group, each.key), each.gender):
            faults.append(f"{each.name} stands under two genders of {each.group}")
    return faults


def _words(names: Sequence[Name]) -> list[str]:
    faults: list[str] = []
    for each in names:
        if each.key in ordinary_words() or each.key in not_names():
            faults.append(f"{each.name} ({each.group}) is an ordinary word too")
        if not each.name.replace("-", "").replace("'", "").isalpha() or len(each.name) < 2:
            faults.append(f"{each.name} ({each.group}) is not one word of letters")
    return faults


def _gaps(names: Sequence[Name]) -> list[str]:
    faults: list[str] = []
    for groups in DIMENSION_GROUPS.values():
        for group in groups:
            own = [each for each in names if each.group == group]
            counts = {
                "female first names": sum(each.kind == "first" and each.gender == "female" for each in own),
                "male first names": sum(each.kind == "first" and each.gender == "male" for each in own),
                "surnames": sum(each.kind == "last" for each in own),
            }
            faults += [
                f"{group} has {n} {what}, at least {LEAST} are needed" for what, n in counts.items() if n < LEAST
            ]
    return faults


@cache
def own_lists() -> NameLists:
    """The lists of this package."""
    return read_lists(read_rows("names.csv"))
