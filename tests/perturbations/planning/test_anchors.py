"""Which anchor is judged along with a sampled transcript, and under which round."""

from __future__ import annotations

from collections import Counter

from scipy.stats import chisquare

from perturbations.arms import is_judged
from perturbations.planning.anchors import FIRST_ROUND, anchor_message, is_anchor_repeat
from perturbations.records.variant import VariantMessage
from tests.builders import at, make_transcript

ANCHORS = [make_transcript(f"a-{n}", domain="banking") for n in range(10)]
NOON = at("2026-11-30T12:00:00Z")


def drawn(transcript_id: str, share: float = 1.0, seed: int = 7) -> VariantMessage | None:
    return anchor_message(ANCHORS, transcript_id, share=share, seed=seed, judge="main", received_at=NOON)


def test_it_is_the_original_under_an_id_and_a_round_of_its_own() -> None:
    message = drawn("c-1")
    assert message is not None
    assert message.variant.transcript_id.startswith("anchor:a-")
    assert (message.variant.row, message.variant.attribute, message.variant.status) == (
        "robustness",
        "original",
        "original",
    )
    assert message.variant.turns == ANCHORS[0].turns
    assert (message.judge, message.received_at, message.domain) == ("main", NOON, "banking")
    assert is_judged(message)
    assert FIRST_ROUND <= message.repeat < 2**31
    assert is_anchor_repeat(message.repeat)
    assert not is_anchor_repeat(20)


def test_a_redelivery_is_the_same_and_another_transcript_another_round() -> None:
    assert drawn("c-1") == drawn("c-1")
    rounds = {message.repeat for n in range(2000) if (message := drawn(f"c-{n}")) is not None}
    assert len(rounds) == 2000


def test_the_share_and_that_every_anchor_has_its_turn() -> None:
    ids = [f"c-{n}" for n in range(4000)]
    few = [message for transcript_id in ids if (message := drawn(transcript_id, 0.1)) is not None]
    assert abs(len(few) / len(ids) - 0.1) < 0.02
    counted = Counter(m.variant.transcript_id for t in ids if (m := drawn(t)) is not None)
    assert len(counted) == len(ANCHORS)
    assert chisquare(list(counted.values())).pvalue > 0.001
    assert all(drawn(transcript_id, 0.0) is None for transcript_id in ids)
    assert anchor_message([], "c-1", share=1.0, seed=7) is None


def test_one_anchors_content_stays_the_same() -> None:
    hashes: dict[str, set[str]] = {}
    for n in range(200):
        if (message := drawn(f"c-{n}")) is not None:
            hashes.setdefault(message.variant.transcript_id, set()).add(message.transcript_hash)
    assert {len(own) for own in hashes.values()} == {1}
