"""Many small items handled as few large batches."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batcher(Generic[Item, Result]):
    """Collects items for up to `seconds` or `size` items, then processes them as one batch, one batch at a time.

    `process` gives one result or one exception for each item, in their order; raising fails the whole batch.
    """

    def __init__(
        self,
        process: Callable[[Sequence[Item]], Awaitable[Sequence[Result | Exception]]],
        *,
        size: int,
        seconds: float,
    ) -> None:
        self._process = process
        self._size = size
        self._seconds = seconds
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._flusher: asyncio.Task[None] | None = None
        self._full = asyncio.Event()

    async def submit(self, item: Item) -> Result:
        """The item's result, once the batch that holds it is done; raises the item's error or the batch's."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, done))
        if len(self._waiting) >= self._size:
            self._full.set()
        if self._flusher is None or self._flusher.done():
            self._flusher = asyncio.create_task(self._flush())
        return await done

    async def _flush(self) -> None:
        while self._waiting:
            if len(self._waiting) < self._size:
                self._full.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._full.wait(), self._seconds)
            batch, self._waiting = self._waiting[: self._size], self._waiting[self._size :]
            await self._run(batch)

    async def _run(self, batch: Sequence[tuple[Item, asyncio.Future[Result]]]) -> None:
        results: Sequence[Result | Exception]
        try:
            results = await self._process([item for item, _ in batch])
        except Exception as error:
            results = [error] * len(batch)
        for (_, done), result in zip(batch, results, strict=True):
            if done.done():
                continue  # whoever submitted it was cancelled
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)
