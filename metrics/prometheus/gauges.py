"""The exporter's gauges: exact figures from the store, made anew at each scrape, so that old series vanish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from metrics.alarms.state import Signal
from metrics.live.window import WindowFigures


@dataclass(frozen=True)
class StoreReading:
    """What the store said: figures by window, and each model's current epoch as (model, epoch, system, served)."""

    windows: Mapping[str, Sequence[WindowFigures]]
    epochs: Sequence[tuple[str, str, str, str]]


class FairnessCollector(Collector):
    """Turns a reading into gauges. Without enough comparisons, or without the store, a series is absent, never 0.

    `read` gives the reading or None where the store can't be read: then only `evenhand_store_up` (0) is exported and
    the scrape still succeeds. `signals` gives what rings and what doesn't, nothing where that isn't known yet.
    """

    def __init__(
        self, read: Callable[[], StoreReading | None], signals: Callable[[], Sequence[Signal]] = tuple
    ) -> None:
        self._read = read
        self._signals = signals

    def describe(self) -> Iterable[Metric]:
        """Nothing beforehand: registering must not query the store."""
        return []

    def collect(self) -> Iterable[Metric]:
        """The gauges of each row, model and window, whether the store answers, the epochs, and the alarms."""
        reading = self._read()
        up = GaugeMetricFamily("evenhand_store_up", "Whether ClickHouse could be read for this scrape (1) or not (0)")
        up.add_metric([], 0.0 if reading is None else 1.0)
        yield up
        if reading is None:
            return
        yield from _figures(reading.windows)
        info = GaugeMetricFamily(
            "evenhand_epoch_info",
            "Each model's current epoch",
            labels=["model", "epoch", "system_id", "served_model"],
        )
        for model, epoch, system_id, served in reading.epochs:
            info.add_metric([model, epoch, system_id, served], 1.0)
        yield info
        alarm = GaugeMetricFamily(
            "evenhand_alarm",
            "Whether an anytime-valid alarm of this kind stands for the row (1) or not (0)",
            labels=["row", "model", "kind"],
        )
        for signal in self._signals():
            alarm.add_metric([signal.row, signal.model, signal.kind], float(signal.rings))
        yield alarm


def _figures(windows: Mapping[str, Sequence[WindowFigures]]) -> Iterable[Metric]:
    labels = ["row", "model", "window"]

    def gauge(name: str, text: str, *more: str) -> GaugeMetricFamily:
        return GaugeMetricFamily(f"evenhand_{name}", text, labels=[*labels[:2], *more, labels[2]])

    cfr = gauge("cfr_ratio", "Counterfactual flip rate: flips / comparisons")
    lower = gauge("cfr_lower_ratio", "Lower end of the CFR's 95 % interval, clustered by transcript")
    upper = gauge("cfr_upper_ratio", "Upper end of the CFR's 95 % interval, clustered by transcript")
    excess = gauge("cfr_excess_ratio", "CFR minus the robustness baseline's, over shared transcripts")
    masd = gauge("masd_points", "Mean absolute score difference, in points from 0 to 100", "score")
    comparisons = gauge("window_comparisons", "Comparisons in the window")
    transcripts = gauge("window_transcripts", "Transcripts with a pair of the row in the window")
    for window, rows in windows.items():
        for row in rows:
            labels_of_row = [row.row, row.model, window]
            comparisons.add_metric(labels_of_row, row.comparisons)
            transcripts.add_metric(labels_of_row, row.transcripts)
            _add(cfr, labels_of_row, row.cfr)
            _add(excess, labels_of_row, row.excess)
            if row.cfr_interval is not None:
                lower.add_metric(labels_of_row, row.cfr_interval[0])
                upper.add_metric(labels_of_row, row.cfr_interval[1])
            for score, value in row.masd.items():
                _add(masd, [row.row, row.model, score, window], value)
    yield from (cfr, lower, upper, excess, masd, comparisons, transcripts)


def _add(family: GaugeMetricFamily, labels: list[str], value: float | None) -> None:
    if value is not None:
        family.add_metric(labels, value)
