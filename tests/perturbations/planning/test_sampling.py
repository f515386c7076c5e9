"""Which transcripts are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.planning.sampling import keep

IDS = [f"call-{number}" for number in range(4_000)]


@pytest.mark.parametrize("rate", [0.05, 0.5, 0.9])
def test_the_share_is_the_rate(rate: float) -> None:
    kept = sum(keep(transcript_id, rate=rate, seed=7) for transcript_id in IDS)
    # Five standard deviations of a binomial count.
    assert abs(kept - rate * len(IDS)) < 5 * (len(IDS) * rate * (1 - rate)) ** 0.5


def test_none_and_all() -> None:
    assert not any(keep(transcript_id, rate=0.0, seed=7) for transcript_id in IDS)
    assert all(keep(transcript_id, rate=1.0, seed=7) for transcript_id in IDS)


@given(st.text(), st.floats(0, 1), st.floats(0, 1), st.integers())
def test_what_is_kept_at_one_rate_is_kept_at_every_higher_one(
    transcript_id: str, first: float, second: float, seed: int
) -> None:
    low, high = sorted((first, second))
    assert keep(transcript_id, rate=high, seed=seed) or not keep(transcript_id, rate=low, seed=seed)


def test_seeds_keep_different_transcripts() -> None:
    kept = [{transcript_id for transcript_id in IDS if keep(transcript_id, rate=0.5, seed=seed)} for seed in (1, 2)]
    assert 0.4 < len(kept[0] & kept[1]) / len(kept[0]) < 0.6


def test_the_same_on_every_machine() -> None:
    kept = [transcript_id for transcript_id in IDS[:40] if keep(transcript_id, rate=0.2, seed=7)]
    assert kept == [f"call-{number}" for number in (0, 4, 5, 6, 12, 15, 16, 18, 22, 26, 31)]
