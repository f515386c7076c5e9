"""Evaluate: a variant in, the judge's evaluation out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from evaluators.calling.judge_client import JudgeClient
from evaluators.evaluate import evaluate
from evaluators.evaluation import Evaluation
from evaluators.price import cost_dollars
from metrics.prometheus.counters import Counters
from perturbations.arms import is_judged
from perturbations.records.errors import RecordError
from perturbations.records.reading import read_record
from perturbations.records.variant import VariantMessage
from streams.kafka.topics import EVALUATIONS, VARIANTS
from streams.runtime.stage import Incoming, Outgoing


class EvaluateStage:
    """Asks the judge about each arm that is to be judged."""

    name = "evaluate"
    source = VARIANTS

    def __init__(
        self,
        counters: Counters,
        *,
        judges: Mapping[str, JudgeClient],
        now: Callable[[], datetime],
        concurrency: int,
    ) -> None:
        self.concurrency = concurrency
        self._counters = counters
        self._judges = judges
        self._now = now

    @property
    def is_paused(self) -> bool:
        """Whether a judge is out of service, so that what is in flight may take for ever."""
        return any(judge.limits.breaker.is_open for judge in self._judges.values())

    async def handle(self, incoming: Incoming) -> list[Outgoing]:
        """One evaluation, whatever its outcome; nothing for an arm that another evaluation serves.

        Raises RecordError for what is no variant, and for a judge that this worker doesn't know.
        """
        message = read_record(VariantMessage, incoming.value)
        if not is_judged(message):
            return []
        judge = self._judges.get(message.judge or "")
        if judge is None:
            raise RecordError("unknown_judge", "judge: names no [judges.NAME] of the configuration")
        evaluation = await evaluate(message, judge, now=self._now)
        self._counters.evaluation(evaluation, dollars=_spent(evaluation, judge))
        return [Outgoing(EVALUATIONS, incoming.key, evaluation.model_dump_json().encode())]


def _spent(evaluation: Evaluation, judge: JudgeClient) -> float | None:
    """What the evaluation cost; None where that isn't known, or nothing was asked."""
    return cost_dollars(evaluation.usage, judge.card.price) if evaluation.attempts else None
