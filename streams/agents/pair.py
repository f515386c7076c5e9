"""Pair: evaluations in, pairs out, through the store.

The store holds the join's state: a batch of evaluations is written, the evaluations of the touched transcripts are
read back deduplicated, and the pairing function that `measure` uses too makes the pairs. Order of arrival, batches
and worker don't matter, and a redelivery finds its rows already there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaluators.evaluation import Evaluation
from metrics.pairs.dedup import deduplicate
from metrics.pairs.evaluation_lines import read_evaluation
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import is_anchor, pair_evaluations, superseded_pairs
from metrics.prometheus.counters import Counters
from perturbations.records.errors import RecordError
from streams.kafka.topics import EVALUATIONS, PAIRS
from streams.runtime.batcher import Batcher
from streams.runtime.stage import Incoming, Outgoing


class EvaluationStore(Protocol):
    """What pairing needs of the store. Each call waits out an outage up to its configured time."""

    async def write_evaluations(self, evaluations: Sequence[Evaluation]) -> dict[int, str]:
        """Store them; gives what is wrong with those that the store refuses, by index."""
        ...

    async def evaluations_of(self, transcript_ids: Sequence[str]) -> list[Evaluation]:
        """Every evaluation of these transcripts, each id once, of all contents."""
        ...

    async def write_pairs(self, pairs: Sequence[Pair], *, deleted: bool = False) -> None:
        """Store the pairs, or store that they no longer count."""
        ...


class PairStage:
    """Stores evaluations and makes the pairs that they complete."""

    name = "pair"
    source = EVALUATIONS
    is_paused = False

    def __init__(
        self, counters: Counters, *, store: EvaluationStore, batch_evaluations: int, batch_seconds: float
    ) -> None:
        # A batch fills from events in flight, so two batches' worth may be.
        self.concurrency = 2 * batch_evaluations
        self._store = store
        self._counters = counters
        self._batcher = Batcher(self._pair, size=batch_evaluations, seconds=batch_seconds)

    async def handle(self, incoming: Incoming) -> list[Outgoing]:
        """The pairs that this evaluation completes. Raises RecordError for what is no evaluation."""
        evaluation = read_evaluation(incoming.value).with_ids()
        pairs = await self._batcher.submit(evaluation)
        for pair in pairs:
            self._counters.pair(pair)
        return [Outgoing(PAIRS, incoming.key, pair.model_dump_json().encode()) for pair in pairs]

    async def _pair(self, batch: Sequence[Evaluation]) -> Sequence[list[Pair] | Exception]:
        refused = await self._store.write_evaluations(batch)
        # Anchors are paired with nothing, and theirs are many evaluations to read back.
        touched = sorted({e.transcript_id for i, e in enumerate(batch) if i not in refused and not is_anchor(e)})
        known = await self._store.evaluations_of(touched) if touched else []
        new = {e.evaluation_id for e in batch if e.evaluation_id}
        of_evaluation = _by_last_arm(pair_evaluations(deduplicate(known).evaluations, touching=new), batch)
        fresh = [pair for pairs in of_evaluation.values() for pair in pairs]
        if fresh:
            await self._store.write_pairs(fresh)
        outdated = superseded_pairs(known)
        if outdated:
            await self._store.write_pairs(outdated, deleted=True)
        return [
            RecordError("unstorable", refused[i]) if i in refused else of_evaluation.get(i, [])
            for i in range(len(batch))
        ]


def _by_last_arm(pairs: Sequence[Pair], batch: Sequence[Evaluation]) -> dict[int, list[Pair]]:
    """Each pair that has an arm in this batch, under the last index of the batch that holds one of its arms."""
    place = {evaluation.evaluation_id: index for index, evaluation in enumerate(batch)}
    by_index: dict[int, list[Pair]] = {}
    for pair in pairs:
        index = max(place.get(pair.evaluation_a, -1), place.get(pair.evaluation_b, -1))
        if index >= 0:
            by_index.setdefault(index, []).append(pair)
    return by_index
