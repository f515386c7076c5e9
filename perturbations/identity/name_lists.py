"""Lists of names read from a table and checked: a list that leaks between groups is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from perturbations.finding.lexicon import not_names, ordinary_words
from perturbations.identity.names import COMMON, DIMENSION_GROUPS, GENDERS, GROUPS, KINDS, Name, NameLists
from perturbations.source import Source, TableRow, packaged, read_table, refuse

LEAST = 4
"""A group needs as many names of a kind and gender: the arm's and the placebo's, and room for what can't be used."""

_NEEDED = ("name", "kind", "gender", "group")
_ALLOWED = (*_NEEDED, "bearers", "source")


@dataclass(frozen=True)
class _Listed:
    """A name and the line of the file that lists it; None where it comes with this package."""

    name: Name
    line: int | None


@cache
def own_lists() -> NameLists:
    """The lists of this package."""
    return read_lists(packaged("names.csv"))


def read_lists(source: Source, *, base: NameLists | None = None) -> NameLists:
    """Name lists from a table with the columns name, kind, gender, group and, if wanted, bearers and source.

    A group that the table names is the table's alone; the groups that it doesn't name are those of `base`.

    Raises MaterialsError for what can't be read, and for lists that can't be used. A name that stands in two groups
    of one dimension leaks: its arm can't be told from the other's. A name that is an ordinary word ("will") would be
    ambiguous in lower-case text. A name is one word. Each group needs names of each gender and surnames.
    """
    rows = read_table(source, needed=_NEEDED, allowed=_ALLOWED)
    refuse(fault for row in rows for fault in _misfits(row, source))
    listed = [_Listed(_name(row.values), row.line) for row in rows]
    replaced = {each.name.group for each in listed}
    kept = base.names if base is not None else ()
    listed += [_Listed(name, None) for name in kept if name.group not in replaced]
    refuse([*_leaks(listed, source), *_words(listed, source), *_gaps(listed, source)])
    return NameLists(tuple(each.name for each in listed))


def _misfits(row: TableRow, source: Source) -> Iterator[str]:
    allowed = {"kind": KINDS, "gender": GENDERS, "group": GROUPS}
    for column, values in allowed.items():
        if row.values[column] not in values:
            misfit = f"{column} is {row.values[column]!r}, allowed are {', '.join(values)}"
            yield source.fault(misfit, row.line)
    bearers = row.values.get("bearers", "")
    if bearers and not bearers.isdecimal():
        yield source.fault(f"bearers is {bearers!r}, it must be a whole number or empty", row.line)


def _name(values: dict[str, str]) -> Name:
    return Name.model_validate({**values, "bearers": values.get("bearers") or None})


def _leaks(listed: Sequence[_Listed], source: Source) -> Iterator[str]:
    for dimension, groups in DIMENSION_GROUPS.items():
        seen: dict[tuple[str, str], _Listed] = {}
        for each in listed:
            name = each.name
            if name.group not in groups:
                continue
            first = seen.setdefault((name.kind, name.key), each)
            if first.name.group != name.group:
                other = "the list that comes with evenhand" if each.line is None else f"line {each.line}"
                leak = (
                    f"{name.name} ({name.kind}) stands in two groups of {dimension}: {first.name.group} and "
                    f"{name.group} ({other}); a name may stand in one group of a dimension"
                )
                yield source.fault(leak, first.line)
    genders: dict[tuple[str, str], _Listed] = {}
    for each in listed:
        name = each.name
        if name.kind == "first" and name.gender != genders.setdefault((name.group, name.key), each).name.gender:
            yield source.fault(f"{name.name} stands under two genders of {name.group}", each.line)


def _words(listed: Sequence[_Listed], source: Source) -> Iterator[str]:
    for each in listed:
        name = each.name
        if name.key in ordinary_words() or name.key in not_names():
            yield source.fault(f"{name.name} ({name.group}) is an ordinary word too", each.line)
        if not name.name.replace("-", "").replace("'", "").isalpha() or len(name.name) < 2:
            yield source.fault(f"{name.name} ({name.group}) is not one word of letters", each.line)


def _gaps(listed: Sequence[_Listed], source: Source) -> Iterator[str]:
    for group in GROUPS:
        own = [each.name for each in listed if each.name.group == group]
        counts = {
            f"{gender} first names": sum(name.kind == "first" and name.gender == gender for name in own)
            for gender in ("female", "male")
        }
        if group != COMMON:
            counts["surnames"] = sum(name.kind == "last" for name in own)
        for what, count in counts.items():
            if count < LEAST:
                yield source.fault(f"{group} has {count} {what}, at least {LEAST} are needed")
