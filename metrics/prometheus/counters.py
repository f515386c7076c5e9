"""The counters of a worker. Ratios are left to queries: sums of counters add up over workers, gauges don't."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from evaluators.evaluation import Evaluation
from metrics.pairs.pair import Pair
from perturbations.records.variant import Variant
from perturbations.rows import ROBUSTNESS

_REQUEST_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320)
_TRANSCRIPT_OUTCOMES = ("sampled", "not_sampled", "in_progress")
_EVALUATION_OUTCOMES = ("ok", "refused", "truncated", "unparsed", "error", "skipped")
_VARIANT_OUTCOMES = ("accepted", "retried", "rejected", "not_applicable", "original")


class Counters:
    """Every counter of one worker, on the registry that is passed in.

    Labels hold rows, outcomes, models and stages: never ids, names, questions or free text. They count what this
    worker did, so work that was done again after a kill counts again; exact figures come from ClickHouse.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, help_text: str, *labels: str) -> Counter:
            return Counter(f"evenhand_{name}", help_text, labels, registry=registry)

        self._transcripts = counter("transcripts_total", "Transcripts read, by what became of them", "outcome")
        self._variants = counter("variants_total", "Variants made, by row and status", "row", "outcome")
        self._evaluations = counter("evaluations_total", "Evaluations by the judge", "row", "outcome", "model")
        self._pairs = counter("pairs_total", "Pairs of arms compared", "row", "model")
        self._comparisons = counter("comparisons_total", "Questions answered in both arms of a pair", "row", "model")
        self._flips = counter("flips_total", "Comparisons whose two answers differ", "row", "model")
        self._tokens = counter("judge_tokens_total", "Tokens used by the judge", "kind", "model")
        self._cost = counter(
            "judge_cost_dollars_total", "Money spent on the judge, where the price is known", "model"
        )
        self._paused = Gauge(
            "evenhand_judge_paused",
            "1 while this worker waits for the judge to be back in service",
            ["model"],
            registry=registry,
        )
        self._pauses: dict[str, list[Callable[[], bool]]] = {}
        self._dead_letters = counter("dead_letters_total", "Records that couldn't be handled", "stage", "reason")
        self._lost = counter("offsets_lost_total", "Records that a topic let go before they were read", "stage")
        self._request_seconds = Histogram(
            "evenhand_judge_request_seconds",
            "Duration of one evaluation's calls to the judge",
            buckets=_REQUEST_SECONDS,
            registry=registry,
        )

    def start(self, rows: Iterable[str], models: Iterable[str]) -> None:
        """Create every configured series at 0: a counter first seen at 5 has an increase of 0."""
        for outcome in _TRANSCRIPT_OUTCOMES:
            self._transcripts.labels(outcome)
        for row in rows:
            for outcome in _VARIANT_OUTCOMES:
                self._variants.labels(row, outcome)
        self._variants.labels(ROBUSTNESS, "original")
        for model in models:
            for row in (*rows, ROBUSTNESS):
                for outcome in _EVALUATION_OUTCOMES:
                    self._evaluations.labels(row, outcome, model)
                for series in (self._pairs, self._comparisons, self._flips):
                    series.labels(row, model)

    def judge(self, model: str, *, is_paused: Callable[[], bool], is_priced: bool) -> None:
        """A judge that this worker asks; money is a series of its own only where the price is known."""
        # Several judges may ask one model, each with a pause of its own.
        pauses = self._pauses.setdefault(model, [])
        pauses.append(is_paused)
        self._paused.labels(model).set_function(lambda: float(any(paused() for paused in pauses)))
        if is_priced:
            self._cost.labels(model)

    def transcript(self, outcome: str) -> None:
        """One transcript was read."""
        self._transcripts.labels(outcome).inc()

    def variant(self, variant: Variant) -> None:
        """One variant was made; `retried` counts the accepted ones that took more than one draw."""
        self._variants.labels(variant.row, variant.status).inc()
        if variant.status == "accepted" and variant.retries:
            self._variants.labels(variant.row, "retried").inc()

    def evaluation(self, evaluation: Evaluation, *, dollars: float | None = None) -> None:
        """One evaluation came back, whatever its outcome; `dollars` None is a cost that isn't known."""
        model = evaluation.judge.model
        self._evaluations.labels(evaluation.row, evaluation.outcome, model).inc()
        if evaluation.latency_seconds is not None:
            self._request_seconds.observe(evaluation.latency_seconds)
        if dollars is not None:
            self._cost.labels(model).inc(dollars)
        usage = evaluation.usage
        for kind, tokens in (
            ("input", usage.input_tokens),
            ("cached", usage.cached_tokens),
            ("output", usage.output_tokens),
            ("reasoning", usage.reasoning_tokens),
        ):
            if tokens is not None:
                self._tokens.labels(kind, model).inc(tokens)

    def pair(self, pair: Pair) -> None:
        """One pair was made. Only eq. 3's pairs and the repeats count into comparisons and flips."""
        if pair.kind not in ("attribute", "repeat"):
            return
        labels = (pair.row, pair.judge.model)
        self._pairs.labels(*labels).inc()
        self._comparisons.labels(*labels).inc(pair.comparisons)
        self._flips.labels(*labels).inc(pair.flips)

    def lost(self, stage: str, offsets: int) -> None:
        """Records that a stage will never read: its topic no longer keeps them."""
        self._lost.labels(stage).inc(offsets)

    def dead_letter(self, stage: str, reason: str) -> None:
        """One record went to the dead letters."""
        self._dead_letters.labels(stage, reason).inc()
