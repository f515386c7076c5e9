"""Files of words, names and headers as text with a name, so that every fault in them can be told by place."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class MaterialsError(ValueError):
    """Lists that can't be used; the message has one line for each fault, with the file and the line in it."""


@dataclass(frozen=True)
class Source:
    """A file's text, and the name by which messages call it."""

    name: str
    text: str

    def fault(self, what: str, line: int | None = None) -> str:
        """One line that says what is wrong, and where."""
        return f"{self.name}, line {line}: {what}" if line is not None else f"{self.name}: {what}"


class TableRow(NamedTuple):
    """One row of a CSV file by column name, and the line on which it ends."""

    line: int
    values: dict[str, str]


@cache
def packaged(name: str) -> Source:
    """A data file of this package."""
    return Source(name, files("perturbations").joinpath("data", name).read_text(encoding="utf-8"))


def read_table(source: Source, *, needed: Sequence[str], allowed: Sequence[str]) -> tuple[TableRow, ...]:
    """The rows of a CSV file with a header line; values are stripped, empty lines passed over.

    Raises MaterialsError where a needed column is missing, one isn't allowed, or a row has more or fewer values.
    """
    reader = csv.DictReader(io.StringIO(source.text.removeprefix("\ufeff"), newline=""))
    columns = [str(column).strip() for column in reader.fieldnames or ()]
    reader.fieldnames = columns
    further = ", ".join(name for name in allowed if name not in needed)
    rule = f"the columns are {', '.join(needed)} and, if wanted, {further}"
    faults = [source.fault(f"the column {name} is missing; {rule}", 1) for name in needed if name not in columns]
    faults += [
        source.fault(f"no column may be called {name!r}; {rule}", 1) for name in columns if name not in allowed
    ]
    refuse(faults)
    rows: list[TableRow] = []
    for values in reader:
        if None in values or None in values.values():
            faults.append(source.fault(f"a row needs {len(columns)} values, one for each column", reader.line_num))
        else:
            rows.append(TableRow(reader.line_num, {name: value.strip() for name, value in values.items()}))
    refuse(faults)
    return tuple(rows)


def refuse(faults: Iterable[str]) -> None:
    """Raises MaterialsError with all the faults, where there are any."""
    if lines := list(faults):
        raise MaterialsError("\n".join(lines))
