"""Many submitters, few batches; each gets its own result or error."""

import asyncio
from collections.abc import Sequence

import pytest

from streams.runtime.batcher import Batcher


async def test_items_submitted_together_share_a_batch() -> None:
    batches: list[list[int]] = []

    async def process(items: Sequence[int]) -> Sequence[int | Exception]:
        batches.append(list(items))
        return [item * 10 for item in items]

    batcher = Batcher(process, size=100, seconds=0.01)
    assert await asyncio.gather(*(batcher.submit(n) for n in range(5))) == [0, 10, 20, 30, 40]
    assert batches == [[0, 1, 2, 3, 4]]


async def test_a_full_batch_does_not_wait() -> None:
    async def process(items: Sequence[int]) -> Sequence[int | Exception]:
        return list(items)

    batcher = Batcher(process, size=2, seconds=60)
    async with asyncio.timeout(5):
        assert await asyncio.gather(*(batcher.submit(n) for n in range(4))) == [0, 1, 2, 3]


async def test_one_bad_item_fails_alone_and_a_failed_batch_fails_all() -> None:
    async def process(items: Sequence[int]) -> Sequence[int | Exception]:
        if 99 in items:
            raise OSError("away")
        return [ValueError("odd") if item % 2 else item for item in items]

    batcher = Batcher(process, size=10, seconds=0.01)
    good, bad = await asyncio.gather(batcher.submit(2), batcher.submit(3), return_exceptions=True)
    assert good == 2
    assert isinstance(bad, ValueError)
    with pytest.raises(OSError, match="away"):
        await batcher.submit(99)
    assert await batcher.submit(4) == 4
