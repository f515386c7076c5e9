"""Titles, pronouns and terms of address of the agent, written for another gender."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.finding.agent_span import TermSpan
from perturbations.finding.gender_terms import terms
from perturbations.identity.renaming import like
from perturbations.records.edit import Replacement
from perturbations.records.transcript import Gender
from perturbations.text.casing import CURLY
from perturbations.text.word import fold


def regender(spans: Sequence[TermSpan], gender: Gender) -> list[Replacement]:
    """The edits that give the agent's titles, pronouns and terms of address this gender, where they have another."""
    return [edit for term in spans if (edit := _gendered(term, gender)) is not None]


def _gendered(term: TermSpan, gender: Gender) -> Replacement | None:
    after = like(term.text, terms(term.kind)[term.key][gender])
    if term.is_curly:
        after = after.replace("'", CURLY)
    if fold(after) == term.key:
        return None
    return Replacement(turn=term.turn, start=term.start, end=term.end, before=term.text, after=after)
