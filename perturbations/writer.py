"""The one interface that every row's counterfactual is written through, by rules or by an LLM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from perturbations.draw import Draw
from perturbations.records.edit import Edit
from perturbations.records.transcript import Transcript


@dataclass(frozen=True)
class Change:
    """What one attribute changes: edits of turns (operations 1 and 2) or a metadata header (operation 3)."""

    edits: tuple[Edit, ...] = ()
    header: str | None = None


@dataclass(frozen=True)
class NotApplicable:
    """Why a row can't say anything about this transcript: counted, never an unchanged copy.

    `reason` is a short snake_case word from a fixed vocabulary, such as `no_agent_name`.
    """

    reason: str


Writer = Callable[[Transcript, str, Draw], Change | NotApplicable]
"""(transcript, attribute, draw) -> the change: a pure function; never called for the original attribute."""
