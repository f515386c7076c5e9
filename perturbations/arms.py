"""Every arm of one transcript, as the messages that evaluators take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from perturbations.generate import make_variant
from perturbations.materials import Materials, own_materials
from perturbations.outcome import make_original
from perturbations.planning.design import FULL, Design
from perturbations.records.transcript import Question, Transcript
from perturbations.records.variant import Variant, VariantMessage
from perturbations.row_writers import writers_for
from perturbations.rows import ROBUSTNESS, ROWS

_OWN = own_materials()


def make_arms(
    transcript: Transcript,
    *,
    rows: Sequence[str],
    seed: int,
    repeats: int,
    judge: str | None = None,
    received_at: datetime | None = None,
    materials: Materials = _OWN,
    design: Design = FULL,
) -> list[VariantMessage]:
    """The original once per repeat, then every attribute of every row by rules, whatever its status, then placebos.

    Variants are written with the names, cues and headers of `materials`. `design` says which rows and attributes the
    transcript gets, and whether it gets placebos: the second draw of each arm that was accepted. For the rest see
    `arms_of`.
    """
    writers, transcript_id = writers_for(materials), transcript.transcript_id
    variants = [
        make_variant(transcript, row, attribute, seed=seed, writers=writers)
        for row, attribute in design.arms(transcript_id, rows, seed=seed)
    ]
    if design.has_placebo(transcript_id, seed=seed):
        accepted = [(ROWS[arm.row], arm.attribute) for arm in variants if arm.status == "accepted"]
        variants += [
            make_variant(transcript, row, attribute, seed=seed, draw=1, writers=writers)
            for row, attribute in accepted
        ]
    return arms_of(
        transcript, variants, repeats=repeats, judge=judge, received_at=received_at, materials=materials.hash
    )


def arms_of(
    transcript: Transcript,
    variants: Iterable[Variant],
    *,
    repeats: int,
    judge: str | None = None,
    received_at: datetime | None = None,
    materials: str | None = None,
) -> list[VariantMessage]:
    """The original once per repeat, then these variants of it.

    `received_at` is when the broker took the transcript (None outside a stream); a transcript that doesn't say when
    it happened happened then. `materials` is the hash of what the variants were written with.
    """
    content = transcript.content_hash

    def message(variant: Variant, repeat: int = 0) -> VariantMessage:
        return VariantMessage(
            variant=variant,
            repeat=repeat,
            transcript_hash=content,
            received_at=received_at,
            occurred_at=transcript.occurred_at or received_at,
            channel=transcript.channel,
            domain=transcript.domain,
            language=transcript.language,
            labels=transcript.labels,
            questions=transcript.questions,
            judge=judge,
            materials=materials,
        )

    original = make_original(transcript)
    return [*(message(original, repeat) for repeat in range(repeats)), *(message(variant) for variant in variants)]


def is_judged(message: VariantMessage) -> bool:
    """Whether a judge is asked about this arm: every accepted variant, and the original once per repeat.

    A row whose attribute is the original is served by the original's own evaluation.
    """
    return message.variant.status == "accepted" or message.variant.row == ROBUSTNESS


def with_rubric(transcript: Transcript, rubric: tuple[Question, ...]) -> Transcript:
    """The transcript with the rubric's questions where it brings none of its own."""
    return transcript if transcript.questions else transcript.model_copy(update={"questions": rubric})
