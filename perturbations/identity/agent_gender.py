"""Titles, pronouns and terms of address of the agent, written for another gender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from perturbations.finding.agent_term import TermKind, TermSpan
from perturbations.finding.gender_terms import terms
from perturbations.identity.renaming import like
from perturbations.records.edit import Replacement
from perturbations.records.transcript import Gender, Turn
from perturbations.text.word import fold

_PRONOUNS: dict[TermKind, dict[Gender, str]] = {
    "subject": {"male": "he", "female": "she"},
    "object": {"male": "him", "female": "her"},
    "determiner": {"male": "his", "female": "her"},
    "possessive": {"male": "his", "female": "hers"},
    "reflexive": {"male": "himself", "female": "herself"},
}


def regender(turns: Sequence[Turn], spans: Sequence[TermSpan], gender: Gender) -> list[Replacement]:
    """The edits that give the agent's titles, pronouns and terms of address this gender, where they have another."""
    return [edit for term in spans if (edit := _gendered(turns[term.turn].text, term, gender)) is not None]


def _gendered(text: str, term: TermSpan, gender: Gender) -> Replacement | None:
    before = text[term.start : term.end]
    if term.kind in _PRONOUNS:
        after = like(before, _PRONOUNS[term.kind][gender])
    else:
        after = like(before, terms(cast("str", term.kind))[fold(before)][gender])
    if "\u2019" in text:
        after = after.replace("'", "\u2019")
    if fold(after) == fold(before):
        return None
    return Replacement(turn=term.turn, start=term.start, end=term.end, before=before, after=after)
