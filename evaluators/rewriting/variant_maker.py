"""Variants by rules or by an LLM, validated by rules or by an LLM: the one place that chooses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from evaluators.rewriting.llm_rewriter import DrawFailed, LlmRewriter
from evaluators.rewriting.llm_validator import LlmValidator
from perturbations.arms import arms_of, make_arms
from perturbations.draw import RETRIES, Draw
from perturbations.generate import make_variant
from perturbations.materials import Materials
from perturbations.outcome import changed_variant, make_original, missing_variant
from perturbations.planning.design import FULL, Design
from perturbations.records.hashing import digest
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant, VariantMessage
from perturbations.row_writers import writers_for
from perturbations.rows import ROWS, Row
from perturbations.validation import VALIDATOR, find_fault
from perturbations.writer import Change, NotApplicable, Writer

_HEADER = 3


@dataclass(frozen=True)
class VariantMaker:
    """Makes variants with these materials.

    Headers are always written by rules. For the other rows `rewriter` and `validator` are the LLMs, None for rules;
    what rules can check is checked in any case, and before an LLM is asked.
    """

    materials: Materials
    rewriter: LlmRewriter | None = None
    validator: LlmValidator | None = None

    @property
    def by_rules_alone(self) -> bool:
        """Whether no LLM is ever asked, so that nothing needs to be awaited."""
        return self.rewriter is None and self.validator is None

    @property
    def version(self) -> str:
        """A hash of what the variants are written with: the materials, and the rewriter where it is an LLM."""
        return self.materials.hash if self.rewriter is None else digest(self.materials.hash, self.rewriter.version)

    @cached_property
    def writers(self) -> Mapping[str, Writer]:
        """The rules' writers."""
        return writers_for(self.materials)

    async def arms(
        self,
        transcript: Transcript,
        *,
        rows: Sequence[str],
        seed: int,
        repeats: int,
        judge: str | None = None,
        received_at: datetime | None = None,
        design: Design = FULL,
    ) -> list[VariantMessage]:
        """The messages of `make_arms`; LLMs are asked about all arms of the transcript side by side."""
        if self.by_rules_alone:
            # In a thread: rules take their time on a long transcript, and others wait for their replies here.
            return await asyncio.to_thread(
                make_arms,
                transcript,
                rows=rows,
                seed=seed,
                repeats=repeats,
                judge=judge,
                received_at=received_at,
                materials=self.materials,
                design=design,
            )
        variants = await self.variants(transcript, design.arms(transcript.transcript_id, rows, seed=seed), seed=seed)
        if design.has_placebo(transcript.transcript_id, seed=seed):
            accepted = [(ROWS[arm.row], arm.attribute) for arm in variants if arm.status == "accepted"]
            variants += await self.variants(transcript, accepted, seed=seed, draw=1)
        return arms_of(
            transcript, variants, repeats=repeats, judge=judge, received_at=received_at, materials=self.version
        )

    async def variants(
        self, transcript: Transcript, arms: Iterable[tuple[Row, str]], *, seed: int, draw: int = 0
    ) -> list[Variant]:
        """One variant for each row and attribute, in their order; LLMs are asked side by side."""
        made = (self.variant(transcript, row, attribute, seed=seed, draw=draw) for row, attribute in arms)
        return list(await asyncio.gather(*made))

    async def variant(self, transcript: Transcript, row: Row, attribute: str, *, seed: int, draw: int = 0) -> Variant:
        """The transcript with this attribute set, as `make_variant` gives it."""
        if self.by_rules_alone or _HEADER in row.operations:
            return make_variant(transcript, row, attribute, seed=seed, draw=draw, writers=self.writers)
        if row.is_original(attribute):
            return make_original(transcript, row.name, attribute)
        key = Draw(seed, transcript.transcript_id, row.dimension, attribute, draw)
        reason: str | None = None
        for attempt in range(RETRIES + 1):
            key = Draw(seed, transcript.transcript_id, row.dimension, attribute, draw, attempt)
            try:
                change = await self._change(transcript, row, key)
                if isinstance(change, NotApplicable):
                    return missing_variant(row, key, "not_applicable", change.reason)
                await self._check(transcript, row, key, change)
            except DrawFailed as failed:
                reason = failed.reason
                if not failed.again:
                    break
            else:
                return changed_variant(transcript, row, key, change, validator=self._validator_name)
        return missing_variant(row, key, "rejected", reason, validator=self._validator_name)

    @property
    def _validator_name(self) -> str:
        return VALIDATOR if self.validator is None else self.validator.name

    async def _change(self, transcript: Transcript, row: Row, draw: Draw) -> Change | NotApplicable:
        if self.rewriter is not None:
            return await self.rewriter.change(transcript, row, draw)
        return await asyncio.to_thread(self.writers[row.name], transcript, draw.attribute, draw)

    async def _check(self, transcript: Transcript, row: Row, draw: Draw, change: Change) -> None:
        fault = find_fault(transcript, row, change)
        if fault is not None:
            raise DrawFailed(fault, again=True)
        if self.validator is not None:
            await self.validator.check(transcript, row, draw, change)
