"""The store as stages use it: outages waited out, small writes batched."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from evaluators.evaluation import Evaluation
from evaluators.judges.deployment import Deployment
from metrics.clickhouse import alarm_rows, stored_records
from metrics.clickhouse.client import StoreClient
from metrics.clickhouse.errors import BadRow, StoreUnavailable
from metrics.pairs.pair import Pair
from perturbations.records.errors import RecordError
from perturbations.records.variant import VariantMessage
from streams.runtime.batcher import Batcher
from streams.runtime.outage import wait_out

Result = TypeVar("Result")

VARIANT_BATCHES = 50
"""How many transcripts' variants one insert may hold."""


class PatientStore:
    """Evaluations, pairs and variants in ClickHouse. Raises Outage once an outage has lasted too long."""

    def __init__(self, client: StoreClient, *, outage_seconds: float, batch_seconds: float) -> None:
        self._client = client
        self._outage_seconds = outage_seconds
        self._variants: Batcher[Sequence[VariantMessage], None] = Batcher(
            self._write_variants, size=VARIANT_BATCHES, seconds=batch_seconds
        )

    async def write_evaluations(self, evaluations: Sequence[Evaluation]) -> dict[int, str]:
        """Store them; gives what is wrong with those that can't be stored, by index."""
        return _by_index(await self._patiently(lambda: stored_records.write_evaluations(self._client, evaluations)))

    async def evaluations_of(self, transcript_ids: Sequence[str]) -> list[Evaluation]:
        """Every evaluation of these transcripts, each id once, of all contents."""
        return await self._patiently(lambda: stored_records.evaluations_of(self._client, transcript_ids))

    async def write_pairs(self, pairs: Sequence[Pair], *, deleted: bool = False) -> None:
        """Store the pairs, or store that they no longer count."""
        bad = await self._patiently(lambda: stored_records.write_pairs(self._client, pairs, deleted=deleted))
        if bad:
            raise RecordError("unstorable", bad[0].reason)

    async def add(self, messages: Sequence[VariantMessage]) -> None:
        """Store what became of a transcript's arms. Raises RecordError where they can't be stored."""
        await self._variants.submit(messages)

    async def add_deployment(self, deployment: Deployment) -> None:
        """Store an announced deployment. Raises RecordError where it can't be stored."""
        bad = await self._patiently(lambda: alarm_rows.write_deployments(self._client, [deployment]))
        if bad:
            raise RecordError("unstorable", bad[0].reason)

    async def _write_variants(self, batch: Sequence[Sequence[VariantMessage]]) -> list[Exception | None]:
        owner = [index for index, messages in enumerate(batch) for _ in messages]
        everything = [message for messages in batch for message in messages]
        bad = await self._patiently(lambda: stored_records.write_variants(self._client, everything))
        faults = {owner[row.index]: RecordError("unstorable", row.reason) for row in bad}
        return [faults.get(index) for index in range(len(batch))]

    async def _patiently(self, call: Callable[[], Awaitable[Result]]) -> Result:
        return await wait_out(call, away=StoreUnavailable, seconds=self._outage_seconds)


def _by_index(bad: Sequence[BadRow]) -> dict[int, str]:
    return {row.index: row.reason for row in bad}
