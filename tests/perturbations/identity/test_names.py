from __future__ import annotations

import re

import pytest

from perturbations.finding.lexicon import usual_gender
from perturbations.identity.name_lists import own_lists, read_lists
from perturbations.identity.names import COMMON, DIMENSION_GROUPS, NameLists
from perturbations.source import MaterialsError, Source

GROUPS = (*(group for groups in DIMENSION_GROUPS.values() for group in groups), COMMON)


def make_row(name: str, group: str, *, kind: str = "first", gender: str = "female") -> dict[str, str]:
    return {"name": name, "kind": kind, "gender": gender, "group": group}


def make_rows(*extra: dict[str, str]) -> list[dict[str, str]]:
    """A small valid list with every group, and more rows."""
    rows: list[dict[str, str]] = []
    for number, group in enumerate(GROUPS):
        for gender, kind in (("female", "first"), ("male", "first"), ("any", "last")):
            for letter in "wxyz":
                name = f"Zq{letter}{chr(97 + number)}{gender}{kind}"
                rows.append(make_row(name, group, kind=kind, gender=gender))
    return [*rows, *extra]


def read(rows: list[dict[str, str]], *, base: NameLists | None = None) -> NameLists:
    lines = ["name,kind,gender,group", *(",".join(row.values()) for row in rows)]
    return read_lists(Source("my names.csv", "\n".join(lines)), base=base)


def test_own_lists_are_sound() -> None:
    lists = own_lists()
    for group in GROUPS:
        for gender in ("female", "male"):
            assert len(lists.firsts(group, gender)) >= 10
        assert len(lists.lasts(group)) >= 6 or group == COMMON
    assert all(name.source for name in lists.names)


def test_own_names_are_of_the_gender_under_which_they_stand() -> None:
    wrong = [
        name.name
        for name in own_lists().names
        if name.kind == "first" and name.gender != "any" and usual_gender(name.key) not in (name.gender, None)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (make_row("Zqwafemalefirst", "black"), "stands in two groups of agent_ethnicity: hispanic and black"),
        (make_row("ZQWAFEMALEFIRST", "black"), "stands in two groups of agent_ethnicity: hispanic and black"),
        (make_row("Zqwganylast", "muslim", kind="last", gender="any"), "stands in two groups of agent_religion"),
        (make_row("Grace", "christian"), "Grace (christian) is an ordinary word too"),
        (make_row("Will", "white", gender="male"), "Will (white) is an ordinary word too"),
        (make_row("Mary Ann", "white"), "Mary Ann (white) is not one word of letters"),
        (make_row("R2D2", "white"), "R2D2 (white) is not one word of letters"),
        (make_row("Zqwafemalefirst", "hispanic", gender="male"), "stands under two genders of hispanic"),
    ],
)
def test_lists_that_leak_are_refused(row: dict[str, str], fault: str) -> None:
    with pytest.raises(MaterialsError, match=re.escape(fault)):
        read(make_rows(row))


def test_one_name_may_stand_in_both_dimensions() -> None:
    lists = read(make_rows(make_row("Deepa", "south_asian"), make_row("Deepa", "hindu")))
    assert lists.group_of("deepa", "first", ("south_asian", "hindu")) == "south_asian"
    assert lists.group_of("deepa", "first", ("hindu",)) == "hindu"
    assert lists.group_of("deepa", "last", GROUPS) is None


def test_a_group_without_names_is_refused() -> None:
    rows = [row for row in make_rows() if not (row["group"] == "jewish" and row["kind"] == "last")]
    with pytest.raises(MaterialsError, match=r"my names.csv: jewish has 0 surnames, at least 4 are needed"):
        read(rows)
