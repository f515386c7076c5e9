"""Gendered words and what they are for the other gender: titles, terms of address, nouns, pronouns."""

from __future__ import annotations

from functools import cache
from typing import Literal

from perturbations.data_file import read_rows
from perturbations.records.transcript import Gender

TermKind = Literal["title", "address", "noun", "subject", "object", "determiner", "possessive", "reflexive"]
"""What a gendered word is in its sentence; the last five are pronouns: she, her, her (card), hers, herself."""

_PRONOUNS: dict[TermKind, tuple[tuple[str, ...], dict[Gender, str]]] = {
    "subject": (("he", "she", "they"), {"male": "he", "female": "she"}),
    "object": (("him", "her", "them"), {"male": "him", "female": "her"}),
    "determiner": (("his", "her"), {"male": "his", "female": "her"}),
    "possessive": (("his", "hers", "theirs"), {"male": "his", "female": "hers"}),
    "reflexive": (("himself", "herself"), {"male": "himself", "female": "herself"}),
}
"""By kind, the pronouns that may stand there, and what each gender's is."""


@cache
def terms(kind: TermKind) -> dict[str, dict[Gender, str]]:
    """By word in lower case, its form for each gender."""
    if kind in _PRONOUNS:
        words, forms = _PRONOUNS[kind]
        return dict.fromkeys(words, forms)
    return {
        row["term"]: {"male": row["male"], "female": row["female"]}
        for row in read_rows("gender_terms.csv")
        if row["kind"] == kind
    }


@cache
def title_genders() -> dict[str, Gender]:
    """By title, the gender that it tells; "mx" tells none."""
    return {
        title: gender for title, forms in terms("title").items() for gender, form in forms.items() if form == title
    }
