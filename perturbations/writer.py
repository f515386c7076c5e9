"""The interfaces through which every row's variants are written and checked, by rules or by an LLM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from perturbations.draw import Draw
from perturbations.records.edit import Edit
from perturbations.records.transcript import Transcript
from perturbations.rows import Row


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


@dataclass(frozen=True)
class BadDraw:
    """Why a draw gave no good change, as a short snake_case word; `again`: the next draw may give one."""

    reason: str
    again: bool = True


RowRule = Callable[[Transcript, Draw], Change | NotApplicable]
"""(transcript, draw) -> what `draw.attribute` changes: how rules write one row, a pure function."""


class Writer(Protocol):
    """Writes the rows' variants."""

    @property
    def version(self) -> str:
        """A hash of all that determines what is written beside transcript, row and draw."""
        ...

    async def write(self, transcript: Transcript, row: Row, draw: Draw) -> Change | NotApplicable | BadDraw:
        """What `draw.attribute` changes; never asked for the row's original attribute."""
        ...


class Validator(Protocol):
    """Checks what was written."""

    @property
    def name(self) -> str:
        """How the validator is recorded in a variant."""
        ...

    async def check(self, transcript: Transcript, row: Row, draw: Draw, change: Change) -> BadDraw | None:
        """What is wrong with the change; None where it may stand."""
        ...
