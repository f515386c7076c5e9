"""A sentence written as a speaker's turns are: small letters without marks, capitals, or as people write."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.records.transcript import Turn
from perturbations.text.casing import turn_case

_MARKS = ",.!?;:"


def as_spoken(sentence: str, turns: Sequence[Turn]) -> str:
    """The sentence as the agent's turns are written, by what most of them show."""
    spoken = [turn.text for turn in turns if turn.speaker == "agent"]
    cases = [turn_case(text) for text in spoken]
    if sum(case.mixed for case in cases) * 2 >= len(cases):
        return sentence.replace("'", "\u2019") if any(case.curly for case in cases) else sentence
    if sum(case.upper for case in cases) * 2 > len(cases):
        return sentence.upper()
    if any(mark in text for text in spoken for mark in ".!?,"):
        return sentence.lower()
    return "".join(letter for letter in sentence.lower() if letter not in _MARKS)
