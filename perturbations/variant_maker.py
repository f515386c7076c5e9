"""The arms of a transcript: drawn, written, checked and drawn again, by rules or by an LLM alike."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from perturbations.arms import arm_messages
from perturbations.draw import Draw
from perturbations.materials import Materials
from perturbations.outcome import make_original, make_variant
from perturbations.planning.design import FULL, Design
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant, VariantMessage
from perturbations.row_writers import RuleWriter
from perturbations.rows import ROWS, Row
from perturbations.validation import RuleValidator
from perturbations.writer import BadDraw, Change, NotApplicable, Validator, Writer


@dataclass(frozen=True)
class VariantMaker:
    """Makes variants with these materials.

    `rewriter` and `validator` are asked about every row that isn't for rules alone; None: rules there as well. What
    rules can check is checked in any case, and before `validator` is asked.
    """

    materials: Materials
    rewriter: Writer | None = None
    validator: Validator | None = None

    @property
    def by_rules_alone(self) -> bool:
        """Whether nobody is ever asked, so that nothing needs to be awaited."""
        return self.rewriter is None and self.validator is None

    @property
    def version(self) -> str:
        """A hash of what the variants are written with: the materials, and the rewriter where there is one."""
        return (self.rewriter or self.rules).version

    @cached_property
    def rules(self) -> RuleWriter:
        """The rules' writer."""
        return RuleWriter(self.materials, in_thread=not self.by_rules_alone)

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
        """The original once per repeat, then every attribute of every row, whatever its status, then placebos.

        `design` says which rows and attributes the transcript gets, and whether it gets placebos: the second draw of
        each arm that was accepted. `received_at` is when the broker took the transcript (None outside a stream); a
        transcript that doesn't say when it happened happened then.
        """

        async def made() -> list[VariantMessage]:
            asked = design.arms(transcript.transcript_id, rows, seed=seed)
            variants = await self.variants(transcript, asked, seed=seed)
            if design.has_placebo(transcript.transcript_id, seed=seed):
                accepted = [(ROWS[arm.row], arm.attribute) for arm in variants if arm.status == "accepted"]
                variants += await self.variants(transcript, accepted, seed=seed, draw=1)
            original = make_original(transcript)
            return arm_messages(
                transcript,
                [*((original, repeat) for repeat in range(repeats)), *((variant, 0) for variant in variants)],
                judge=judge,
                received_at=received_at,
                occurred_at=transcript.occurred_at or received_at,
                materials=self.version,
            )

        if not self.by_rules_alone:
            return await made()
        # In a thread: rules take their time on a long transcript, and others wait for their replies here.
        return await asyncio.to_thread(lambda: asyncio.run(made()))

    async def variants(
        self, transcript: Transcript, arms: Iterable[tuple[Row, str]], *, seed: int, draw: int = 0
    ) -> list[Variant]:
        """One variant for each row and attribute, in their order; who is asked is asked side by side."""
        made = (self.variant(transcript, row, attribute, seed=seed, draw=draw) for row, attribute in arms)
        return list(await asyncio.gather(*made))

    async def variant(self, transcript: Transcript, row: Row, attribute: str, *, seed: int, draw: int = 0) -> Variant:
        """The transcript with this attribute set; `accepted`, `rejected`, `not_applicable` or `original`."""
        if row.is_original(attribute):
            return make_original(transcript, row.name, attribute)
        for key in Draw(seed, transcript.transcript_id, row.dimension, attribute, draw).attempts():
            outcome = await self._attempt(transcript, row, key)
            if not isinstance(outcome, BadDraw) or not outcome.again:
                break
        return make_variant(transcript, row, key, outcome, validator=self._validators(row)[-1].name)

    async def _attempt(self, transcript: Transcript, row: Row, draw: Draw) -> Change | NotApplicable | BadDraw:
        """What becomes of one draw."""
        written = await self._writer(row).write(transcript, row, draw)
        if not isinstance(written, Change):
            return written
        for validator in self._validators(row):
            fault = await validator.check(transcript, row, draw, written)
            if fault is not None:
                return fault
        return written

    def _writer(self, row: Row) -> Writer:
        return self.rules if self.rewriter is None or row.is_by_rules_alone else self.rewriter

    def _validators(self, row: Row) -> tuple[Validator, ...]:
        """Who is asked, in order; the last one's name is recorded."""
        if self.validator is None or row.is_by_rules_alone:
            return (RuleValidator(),)
        return (RuleValidator(), self.validator)
