"""Gendered words and what they are for the other gender: titles, terms of address, nouns, pronouns."""

from __future__ import annotations

from functools import cache
from typing import Literal

from perturbations.data_file import read_rows
from perturbations.records.transcript import Gender

Kind = Literal["title", "address", "noun"]


@cache
def terms(kind: Kind) -> dict[str, dict[Gender, str]]:
    """By word in lower case, its form for each gender."""
    return {
        row["term"]: {"male": row["male"], "female": row["female"]}
        for row in read_rows("gender_terms.csv")
        if row["kind"] == kind
    }


@cache
def marked_gender(kind: Kind, term: str) -> Gender | None:
    """The gender that this word tells, or None where it tells none ("mx")."""
    forms = terms(kind).get(term)
    if forms is None:
        return None
    return next((gender for gender, form in forms.items() if form == term), None)
