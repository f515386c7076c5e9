"""Anchors: a fixed set of transcripts that are judged again and again, so that a change of the judge shows.

An anchor's evaluation is one of the original with a repeat from `FIRST_ROUND` on, which no repeat of a sampled
transcript reaches: it is paired with nothing and in no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from perturbations.arms import arm_messages
from perturbations.outcome import make_original
from perturbations.records.hashing import fraction, pick
from perturbations.records.transcript import Transcript
from perturbations.records.variant import VariantMessage

FIRST_ROUND = 1_000_000
"""Anchors' repeats begin here."""

ID_PREFIX = "anchor:"
"""Anchors have ids of their own: one of the sampled transcripts may be the same conversation."""

_ROUNDS = 2**31 - FIRST_ROUND


def is_anchor_repeat(repeat: int) -> bool:
    """Whether this repeat is an anchor's round."""
    return repeat >= FIRST_ROUND


def anchor_message(
    anchors: Sequence[Transcript],
    transcript_id: str,
    *,
    share: float,
    seed: int,
    judge: str | None = None,
    received_at: datetime | None = None,
) -> VariantMessage | None:
    """The anchor that is judged along with this sampled transcript, for a share of them, in [0, 1]; else None.

    Which one, and its round, follow from the transcript's id: a redelivery asks the same again, and every other
    transcript asks anew. `anchors` bring their questions.
    """
    if not anchors or fraction("anchor", seed, transcript_id) >= share:
        return None
    anchor = pick(anchors, "which anchor", seed, transcript_id)
    named = anchor.with_id(f"{ID_PREFIX}{anchor.transcript_id}")
    repeat = FIRST_ROUND + int(fraction("round", seed, transcript_id) * _ROUNDS)
    # An anchor happens when it is judged.
    [message] = arm_messages(
        named, [(make_original(named), repeat)], judge=judge, received_at=received_at, occurred_at=received_at
    )
    return message
