"""The exporter's gauges: exact figures from the store, made anew at each scrape, so that old series vanish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from metrics.alarms.state import Signal
from metrics.live.favoured import Favoured
from metrics.live.window import WindowFigures
from metrics.verdicts.row_verdict import VERDICTS


@dataclass(frozen=True)
class StoreReading:
    """What the store said: figures and who is favoured, by window.

    And each model's current epoch as (model, epoch, system, served).
    """

    windows: Mapping[str, Sequence[WindowFigures]]
    epochs: Sequence[tuple[str, str, str, str]]
    favoured: Mapping[str, Sequence[Favoured]] = field(default_factory=dict)


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
        yield _directions(reading.favoured)
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
    excess = _Interval(gauge, "cfr_excess", "CFR minus the robustness baseline's, over shared transcripts")
    placebo = _Interval(gauge, "cfr_placebo_excess", "CFR minus the placebos', over shared transcripts")
    verdict = GaugeMetricFamily(
        "evenhand_verdict", "Whether this is the verdict of the row (1) or not (0)", labels=[*labels, "verdict"]
    )
    masd = gauge("masd_points", "Mean absolute score difference, in points from 0 to 100", "score")
    comparisons = gauge("window_comparisons", "Comparisons in the window")
    transcripts = gauge("window_transcripts", "Transcripts with a pair of the row in the window")
    for window, rows in windows.items():
        for row in rows:
            labels_of_row = [row.row, row.model, window]
            comparisons.add_metric(labels_of_row, row.comparisons)
            transcripts.add_metric(labels_of_row, row.transcripts)
            _add(cfr, labels_of_row, row.cfr)
            excess.add(labels_of_row, row.excess, row.excess_interval)
            placebo.add(labels_of_row, row.excess_placebo, row.excess_placebo_interval)
            if row.verdict is not None:
                for word in VERDICTS:
                    verdict.add_metric([*labels_of_row, word], float(row.verdict.verdict == word))
            if row.cfr_interval is not None:
                lower.add_metric(labels_of_row, row.cfr_interval[0])
                upper.add_metric(labels_of_row, row.cfr_interval[1])
            for score, value in row.masd.items():
                _add(masd, [row.row, row.model, score, window], value)
    yield from (cfr, lower, upper, *excess.families, *placebo.families, masd, verdict, comparisons, transcripts)


def _directions(windows: Mapping[str, Sequence[Favoured]]) -> Metric:
    points = GaugeMetricFamily(
        "evenhand_direction_points",
        "P(yes) under the attribute minus the mean over the row's others, in points from -100 to 100",
        labels=["row", "model", "attribute", "window"],
    )
    for window, rows in windows.items():
        for row in rows:
            for attribute, advantage in row.advantages.items():
                points.add_metric([row.row, row.model, attribute, window], 100 * advantage)
    return points


class _Interval:
    """A ratio with the ends of its interval: three families."""

    def __init__(self, gauge: Callable[[str, str], GaugeMetricFamily], name: str, text: str) -> None:
        self.value = gauge(f"{name}_ratio", text)
        self.lower = gauge(f"{name}_lower_ratio", f"Lower end of the 95 % interval: {text}")
        self.upper = gauge(f"{name}_upper_ratio", f"Upper end of the 95 % interval: {text}")

    @property
    def families(self) -> tuple[GaugeMetricFamily, ...]:
        return self.value, self.lower, self.upper

    def add(self, labels: list[str], value: float | None, interval: tuple[float, float] | None) -> None:
        _add(self.value, labels, value)
        if interval is not None:
            self.lower.add_metric(labels, interval[0])
            self.upper.add_metric(labels, interval[1])


def _add(family: GaugeMetricFamily, labels: list[str], value: float | None) -> None:
    if value is not None:
        family.add_metric(labels, value)
