"""Word lists and tables that lie in the package as files."""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from typing import Any

from perturbations.source import packaged


@cache
def read_words(name: str) -> frozenset[str]:
    """The words of a list: separated by white space, lines that begin with # left out."""
    lines = packaged(name).text.splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def read_rows(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a CSV file by column name."""
    return tuple(csv.DictReader(packaged(name).text.splitlines()))


@cache
def read_toml(name: str) -> dict[str, Any]:
    """A TOML file."""
    return tomllib.loads(packaged(name).text)
