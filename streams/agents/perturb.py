"""Perturb: a sampled transcript in, its originals and variants out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from metrics.prometheus.counters import Counters
from perturbations.arms import with_rubric
from perturbations.planning.anchors import anchor_message
from perturbations.planning.design import Design
from perturbations.records.errors import RecordError
from perturbations.records.reading import read_record
from perturbations.records.transcript import Question, Transcript
from perturbations.records.variant import VariantMessage
from perturbations.variant_maker import VariantMaker
from streams.agents.sample import Sample
from streams.kafka.topics import SAMPLES, VARIANTS
from streams.runtime.stage import Incoming, Outgoing


class VariantSink(Protocol):
    """Where the variants' statuses are kept: the store."""

    async def add(self, messages: Sequence[VariantMessage]) -> None:
        """Returns once they are stored."""
        ...


@dataclass(frozen=True)
class ArmsWanted:
    """What is asked of each sampled transcript: rows, design, repeats and questions, and of which judges.

    `rubric` is asked where the transcript brings no questions, `default_judge` where it names no judge.
    `anchor_share` of the transcripts bring an evaluation of one of the `anchors` with them.
    """

    rows: Sequence[str]
    design: Design
    repeats: int
    seed: int
    rubric: tuple[Question, ...]
    judges: Collection[str]
    default_judge: str
    anchors: Sequence[Transcript] = ()
    anchor_share: float = 0.0


class PerturbStage:
    """Makes every arm of a transcript, with all that an evaluator needs in each message."""

    name = "perturb"
    source = SAMPLES
    is_paused = False

    def __init__(
        self,
        counters: Counters,
        *,
        wanted: ArmsWanted,
        maker: VariantMaker,
        sink: VariantSink,
        concurrency: int,
    ) -> None:
        self.concurrency = concurrency
        self._counters = counters
        self._wanted = wanted
        self._maker = maker
        self._sink = sink

    async def handle(self, incoming: Incoming) -> list[Outgoing]:
        """One message for each repeat of the original, each arm of the design and each placebo; sometimes an anchor.

        Raises RecordError for what is no sample, and for a transcript that names a judge nobody configured.
        """
        sample = read_record(Sample, incoming.value)
        messages = await self._arms(sample)
        await self._sink.add(messages)
        for message in messages:
            self._counters.variant(message.variant)
        anchor = anchor_message(
            self._wanted.anchors,
            sample.transcript.transcript_id,
            share=self._wanted.anchor_share,
            seed=self._wanted.seed,
            judge=messages[0].judge,
            received_at=sample.received_at,
        )
        key = sample.transcript.transcript_id.encode()
        asked = messages if anchor is None else [*messages, anchor]
        return [Outgoing(VARIANTS, key, message.model_dump_json().encode()) for message in asked]

    async def _arms(self, sample: Sample) -> list[VariantMessage]:
        wanted = self._wanted
        transcript = with_rubric(sample.transcript, wanted.rubric)
        judge = transcript.judge or wanted.default_judge
        if judge not in wanted.judges:
            raise RecordError("unknown_judge", "judge: names no [judges.NAME] of the configuration")
        return await self._maker.arms(
            transcript,
            rows=wanted.rows,
            seed=wanted.seed,
            repeats=wanted.repeats,
            judge=judge,
            received_at=sample.received_at,
            design=wanted.design,
        )
