"""What is known about names in general: which words are names, whose they are, and what stands around them."""

from __future__ import annotations

from functools import cache

from perturbations.data_file import read_rows, read_toml, read_words
from perturbations.records.transcript import Gender

_CLEARLY_PERCENT = 90


@cache
def first_names() -> dict[str, int]:
    """First names by key, with the share of women among their bearers in percent."""
    return {row["name"]: int(row["female_percent"]) for row in read_rows("first_names.csv")}


def is_first_name(key: str) -> bool:
    """Whether this is a known first name, or two that are joined ("jean-luc")."""
    return key in first_names() or ("-" in key and key.split("-")[0] in first_names())


@cache
def surnames() -> dict[str, int]:
    """Surnames by key, with the number of their bearers."""
    return {row["name"]: int(row["bearers"]) for row in read_rows("surnames.csv")}


@cache
def _first_name_bearers() -> dict[str, int]:
    return {row["name"]: int(row["bearers"]) for row in read_rows("first_names.csv")}


def is_rather_surname(key: str) -> bool:
    """Whether a name alone is a surname sooner than a first name, by the number of bearers."""
    return surnames().get(key, 0) >= _first_name_bearers().get(key, 0)


def ordinary_words() -> frozenset[str]:
    """Words that are names too: "will", "grace", "bill"."""
    return read_words("ordinary_words.txt")


def not_names() -> frozenset[str]:
    """Words that never are a name where one is looked for: "also", "sorry", "calling"."""
    return read_words("not_names.txt")


@cache
def vocabulary(name: str) -> frozenset[str]:
    """One of the lists of name_context.toml: words that stand around names."""
    return frozenset(read_toml("name_context.toml")[name])


@cache
def nicknames() -> dict[str, frozenset[str]]:
    """By key, the names that one and the same person may be called by: full names and nicknames, both ways."""
    known: dict[str, set[str]] = {}
    for row in read_rows("nicknames.csv"):
        known.setdefault(row["name"], set()).add(row["nickname"])
        known.setdefault(row["nickname"], set()).add(row["name"])
    return {name: frozenset(others) for name, others in known.items()}


def usual_gender(key: str) -> Gender | None:
    """The gender of nine in ten bearers of this first name, or None where it is unknown or mixed."""
    female = first_names().get(key)
    if female is None:
        return None
    if female >= _CLEARLY_PERCENT:
        return "female"
    return "male" if female <= 100 - _CLEARLY_PERCENT else None
