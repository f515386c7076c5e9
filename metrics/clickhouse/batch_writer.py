"""Many small writes as few inserts: each insert makes a part on disk, and ClickHouse refuses when parts pile up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from metrics.clickhouse.errors import BadRow

Record = TypeVar("Record")

Write = Callable[[Sequence[Record]], Awaitable[list[BadRow]]]


class BatchWriter(Generic[Record]):
    """Collects records for up to `seconds` or `rows` of them, then writes them as one batch, one batch at a time."""

    def __init__(self, write: Write[Record], *, seconds: float = 0.2, rows: int = 1_000) -> None:
        self._write = write
        self._seconds = seconds
        self._rows = rows
        self._waiting: list[tuple[Sequence[Record], asyncio.Future[list[BadRow]]]] = []
        self._full = asyncio.Event()
        self._flusher: asyncio.Task[None] | None = None

    async def add(self, records: Sequence[Record]) -> list[BadRow]:
        """Returns when the batch that holds the records is stored, with those of them that can't be, by index.

        Raises what the write raises, for every caller whose records were in that batch.
        """
        if not records:
            return []
        stored: asyncio.Future[list[BadRow]] = asyncio.get_running_loop().create_future()
        self._waiting.append((records, stored))
        if self._count() >= self._rows:
            self._full.set()
        if self._flusher is None or self._flusher.done():
            self._flusher = asyncio.create_task(self._flush())
        return await stored

    def _count(self) -> int:
        return sum(len(records) for records, _ in self._waiting)

    async def _flush(self) -> None:
        while self._waiting:
            if self._count() < self._rows:
                self._full.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._full.wait(), self._seconds)
            await self._write_batch(self._take())

    def _take(self) -> list[tuple[Sequence[Record], asyncio.Future[list[BadRow]]]]:
        taken, size = 0, 0
        for records, _ in self._waiting:
            # What one caller added is never split: at least one caller's records, then whole ones up to the limit.
            if taken and size + len(records) > self._rows:
                break
            taken, size = taken + 1, size + len(records)
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return batch

    async def _write_batch(self, batch: list[tuple[Sequence[Record], asyncio.Future[list[BadRow]]]]) -> None:
        try:
            bad = await self._write([record for records, _ in batch for record in records])
        except Exception as error:
            for _, stored in batch:
                if not stored.done():
                    stored.set_exception(error)
            return
        start = 0
        for records, stored in batch:
            end = start + len(records)
            if not stored.done():  # whoever added them may have been cancelled
                stored.set_result([replace(row, index=row.index - start) for row in bad if start <= row.index < end])
            start = end
