"""Which transcripts are kept: the same on redelivery, on another worker and in replay."""

from __future__ import annotations

from perturbations.records.hashing import fraction


def keep(transcript_id: str, *, rate: float, seed: int) -> bool:
    """Whether this transcript is in the sample: hash(seed, transcript_id) < rate, rate in [0, 1].

    A transcript kept at one rate is kept at every higher one.
    """
    return fraction("sample", seed, transcript_id) < rate
