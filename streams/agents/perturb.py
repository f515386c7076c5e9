"""Perturb: a sampled transcript in, its originals and variants out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from metrics.prometheus.counters import Counters
from perturbations.arms import with_rubric
from perturbations.planning.anchors import anchor_message
from perturbations.records.errors import RecordError
from perturbations.records.reading import read_record
from perturbations.records.transcript import Question, Transcript
from perturbations.records.variant import VariantMessage
from perturbations.variant_maker import VariantMaker
from streams.agents.sample import Sample
from streams.config.settings import Settings, SettingsError
from streams.kafka.topics import SAMPLES, VARIANTS
from streams.runtime.stage import Incoming, Outgoing


class VariantSink(Protocol):
    """Where the variants' statuses are kept: the store."""

    async def add(self, messages: Sequence[VariantMessage]) -> None:
        """Returns once they are stored."""
        ...


class PerturbStage:
    """Makes every arm of a transcript, with all that an evaluator needs in each message."""

    name = "perturb"
    source = SAMPLES

    def __init__(
        self,
        settings: Settings,
        counters: Counters,
        *,
        rows: Sequence[str],
        rubric: tuple[Question, ...],
        maker: VariantMaker,
        sink: VariantSink,
        anchors: Sequence[Transcript] = (),
    ) -> None:
        self.concurrency = settings.worker.perturb_concurrency
        self._settings = settings
        self._counters = counters
        self._rows = rows
        self._rubric = rubric
        self._maker = maker
        self._sink = sink
        self._anchors = anchors

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
            self._anchors,
            sample.transcript.transcript_id,
            share=self._settings.anchors.share,
            seed=self._settings.seed,
            judge=messages[0].judge,
            received_at=sample.received_at,
        )
        key = sample.transcript.transcript_id.encode()
        asked = messages if anchor is None else [*messages, anchor]
        return [Outgoing(VARIANTS, key, message.model_dump_json().encode()) for message in asked]

    async def _arms(self, sample: Sample) -> list[VariantMessage]:
        transcript = with_rubric(sample.transcript, self._rubric)
        try:
            judge, _ = self._settings.judge_named(transcript.judge)
        except SettingsError:
            raise RecordError("unknown_judge", "judge: names no [judges.NAME] of the configuration") from None
        return await self._maker.arms(
            transcript,
            rows=self._rows,
            seed=self._settings.seed,
            repeats=self._settings.sampling.repeats,
            judge=judge,
            received_at=sample.received_at,
            design=self._settings.sampling.design,
        )
