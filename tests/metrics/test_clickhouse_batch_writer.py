"""Thousands of small writes become few inserts, each caller learns what became of its own records."""

import asyncio
from collections.abc import Sequence

import pytest

from evaluators.evaluation import Evaluation
from metrics.clickhouse.batch_writer import BatchWriter
from metrics.clickhouse.client import connect
from metrics.clickhouse.errors import BadRow, StoreUnavailable
from metrics.clickhouse.store import write_evaluations
from tests.builders import make_evaluation


class RecordingWrite:
    """Keeps the batches that it is given; refuses negative numbers; fails as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.batches: list[list[int]] = []
        self.running = 0
        self._failures = failures

    async def __call__(self, records: Sequence[int]) -> list[BadRow]:
        assert self.running == 0, "one batch at a time"
        self.running += 1
        await asyncio.sleep(0.001)
        self.running -= 1
        if self._failures:
            self._failures -= 1
            raise StoreUnavailable("away")
        self.batches.append(list(records))
        return [BadRow(index, "negative") for index, record in enumerate(records) if record < 0]


async def test_5000_single_rows_in_a_minute_are_few_parts(store: str) -> None:
    async with await connect(store) as client:
        writer = BatchWriter[Evaluation](lambda evaluations: write_evaluations(client, evaluations))
        await asyncio.gather(*(writer.add([make_evaluation(f"c-{n}")]) for n in range(5_000)))
        assert await client.rows("SELECT count() FROM evaluations FINAL") == [(5_000,)]
        [(parts,)] = await client.rows(
            "SELECT toInt64(max(max_block_number)) FROM system.parts "
            "WHERE database = currentDatabase() AND table = 'evaluations'"
        )
    assert parts <= 10  # every insert takes one block number


async def test_a_full_batch_does_not_wait_and_a_small_one_does_not_wait_for_ever() -> None:
    write = RecordingWrite()
    patient = BatchWriter(write, seconds=600, rows=3)
    await asyncio.wait_for(asyncio.gather(*(patient.add([n]) for n in range(3))), 5)
    hasty = BatchWriter(write, seconds=0.01, rows=1_000)
    await asyncio.wait_for(hasty.add([7]), 5)
    assert write.batches == [[0, 1, 2], [7]]


async def test_what_one_caller_adds_stays_together() -> None:
    write = RecordingWrite()
    writer = BatchWriter(write, seconds=0.01, rows=4)
    await asyncio.gather(*(writer.add([n, n, n]) for n in range(3)), writer.add(list(range(10, 20))))
    assert write.batches == [[0, 0, 0], [1, 1, 1], [2, 2, 2], list(range(10, 20))]


async def test_each_caller_learns_of_its_own_bad_rows() -> None:
    writer = BatchWriter(RecordingWrite(), seconds=0.01)
    found = await asyncio.gather(writer.add([1, -1]), writer.add([]), writer.add([2]), writer.add([-2, 3, -3]))
    assert list(found) == [[BadRow(1, "negative")], [], [], [BadRow(0, "negative"), BadRow(2, "negative")]]


async def test_an_outage_reaches_every_caller_and_the_next_batch_goes_on() -> None:
    write = RecordingWrite(failures=1)
    writer = BatchWriter(write, seconds=0.01)
    first = await asyncio.gather(writer.add([1]), writer.add([2]), return_exceptions=True)
    assert [type(error) for error in first] == [StoreUnavailable, StoreUnavailable]
    assert await writer.add([3]) == []
    assert write.batches == [[3]]


async def test_a_caller_that_is_cancelled_takes_nobody_with_it() -> None:
    write = RecordingWrite()
    writer = BatchWriter(write, seconds=0.05)
    gone = asyncio.create_task(writer.add([1]))
    await asyncio.sleep(0)
    stays = asyncio.create_task(writer.add([2]))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays == []
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert write.batches == [[1, 2]]
