"""The arms of a transcript as the messages that evaluators take."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from perturbations.records.transcript import Question, Transcript
from perturbations.records.variant import Variant, VariantMessage
from perturbations.rows import ROBUSTNESS


def arm_messages(
    transcript: Transcript,
    arms: Iterable[tuple[Variant, int]],
    *,
    judge: str | None = None,
    received_at: datetime | None = None,
    occurred_at: datetime | None = None,
    materials: str | None = None,
) -> list[VariantMessage]:
    """A message for each of these variants of the transcript and its repeat, in their order.

    `received_at` is when the broker took the transcript (None outside a stream), `occurred_at` when it happened as
    far as figures go, `materials` the hash of what the variants were written with.
    """
    # Once for all arms: it takes as long as writing one.
    content = transcript.content_hash
    return [
        VariantMessage(
            variant=variant,
            repeat=repeat,
            transcript_hash=content,
            received_at=received_at,
            occurred_at=occurred_at,
            channel=transcript.channel,
            domain=transcript.domain,
            language=transcript.language,
            labels=transcript.labels,
            questions=transcript.questions,
            judge=judge,
            materials=materials,
        )
        for variant, repeat in arms
    ]


def is_judged(message: VariantMessage) -> bool:
    """Whether a judge is asked about this arm: every accepted variant, and the original once per repeat.

    A row whose attribute is the original is served by the original's own evaluation.
    """
    return message.variant.status == "accepted" or message.variant.row == ROBUSTNESS


def with_rubric(transcript: Transcript, rubric: tuple[Question, ...]) -> Transcript:
    """The transcript with the rubric's questions where it brings none of its own."""
    return transcript if transcript.questions else transcript.with_questions(rubric)
