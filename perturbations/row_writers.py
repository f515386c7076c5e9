"""Every row's variants by rules: which rule a row is written by follows from the row's facts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from perturbations.context.header_writer import header_rule
from perturbations.context.past_performance import scores_rule
from perturbations.draw import Draw
from perturbations.identity.remark_row import remark_rule
from perturbations.identity.renaming_row import renaming_rule
from perturbations.materials import Materials
from perturbations.records.transcript import Transcript
from perturbations.rows import ROWS, Row
from perturbations.style.restyle import style_rule
from perturbations.writer import Change, NotApplicable, RowRule


@dataclass(frozen=True)
class RuleWriter:
    """Writes with the names, cues and headers of `materials`.

    `in_thread`: for an event loop on which others wait for replies, since rules take their time on a long transcript.
    """

    materials: Materials
    in_thread: bool = False

    @property
    def version(self) -> str:
        """The hash of the materials."""
        return self.materials.hash

    @cached_property
    def by_row(self) -> Mapping[str, RowRule]:
        """The rule of every row, by the row's name."""
        return {row.name: _rule_of(row, self.materials) for row in ROWS.values()}

    async def write(self, transcript: Transcript, row: Row, draw: Draw) -> Change | NotApplicable:
        """What the row's rule makes of the draw."""
        rule = self.by_row[row.name]
        return await asyncio.to_thread(rule, transcript, draw) if self.in_thread else rule(transcript, draw)


def _rule_of(row: Row, materials: Materials) -> RowRule:
    if row.category == "style":
        return style_rule(row)
    if row.category == "context":
        header = materials.headers[row.name]
        return scores_rule(header) if row.trends else header_rule(header)
    cues = materials.cues[row.cues] if row.cues is not None else None
    if row.named_by is not None:
        return renaming_rule(row, materials.names, cues)
    if cues is not None:
        return remark_rule(cues)
    raise ValueError(f"{row.name}: an identity row is named_by something, or has cues")
