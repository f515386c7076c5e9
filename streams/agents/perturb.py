"""Perturb: a sampled transcript in, its originals and variants out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from metrics.prometheus.counters import Counters
from perturbations.errors import RecordError
from perturbations.generate import make_original, make_variants
from perturbations.records import read_record
from perturbations.transcript import Question, Transcript
from perturbations.variant import Variant, VariantMessage
from streams.agents.sample import Sample
from streams.settings import Settings, SettingsError
from streams.stage import Incoming, Outgoing
from streams.topics import SAMPLES, VARIANTS


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
        sink: VariantSink,
    ) -> None:
        self.concurrency = settings.worker.perturb_concurrency
        self._settings = settings
        self._counters = counters
        self._rows = rows
        self._rubric = rubric
        self._sink = sink

    async def handle(self, incoming: Incoming) -> list[Outgoing]:
        """One message for each repeat of the original and each attribute of each row.

        Raises RecordError for what is no sample, and for a transcript that names a judge nobody configured.
        """
        sample = read_record(Sample, incoming.value)
        # In a thread: a long call's rewriting must not hold up heartbeats.
        messages = await asyncio.to_thread(self._messages, sample)
        await self._sink.add(messages)
        for message in messages:
            self._counters.variant(message.variant)
        key = sample.transcript.transcript_id.encode()
        return [Outgoing(VARIANTS, key, message.model_dump_json().encode()) for message in messages]

    def _messages(self, sample: Sample) -> list[VariantMessage]:
        transcript = with_rubric(sample.transcript, self._rubric)
        try:
            judge, _ = self._settings.judge_named(transcript.judge)
        except SettingsError:
            raise RecordError("unknown_judge", "judge: names no [judges.NAME] of the configuration") from None
        content = transcript.content_hash

        def message(variant: Variant, repeat: int = 0) -> VariantMessage:
            return VariantMessage(
                variant=variant,
                repeat=repeat,
                transcript_hash=content,
                received_at=sample.received_at,
                # A transcript that doesn't say when it happened happened when the broker took it.
                occurred_at=transcript.occurred_at or sample.received_at,
                channel=transcript.channel,
                domain=transcript.domain,
                language=transcript.language,
                labels=transcript.labels,
                questions=transcript.questions,
                judge=judge,
            )

        original = make_original(transcript)
        originals = [message(original, repeat) for repeat in range(self._settings.sampling.repeats)]
        variants = make_variants(transcript, self._rows, seed=self._settings.seed)
        return [*originals, *(message(variant) for variant in variants)]


def with_rubric(transcript: Transcript, rubric: tuple[Question, ...]) -> Transcript:
    """The transcript with the rubric's questions where it brings none of its own."""
    return transcript if transcript.questions else transcript.model_copy(update={"questions": rubric})
