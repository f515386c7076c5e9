"""The exporter's gauges: what there is enough of, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, generate_latest

from metrics.live.window import WindowFigures
from metrics.prometheus.gauges import FairnessCollector, StoreReading

ENOUGH = WindowFigures(
    row="politeness",
    model="a",
    epoch="e",
    comparisons=400,
    transcripts=80,
    cfr=0.125,
    cfr_interval=(0.1, 0.25),
    excess=-0.5,
    masd={"confidence": 3.5, "positive": None, "improvement": 0.0},
)
TOO_FEW = WindowFigures("politeness", "a", "e", 8, 2, reasons={"cfr": "too few (8 of 50) comparisons"})


def reading(
    *figures: WindowFigures, window: str = "1h", epochs: Sequence[tuple[str, str, str, str]] = ()
) -> StoreReading:
    return StoreReading(windows={window: figures}, epochs=epochs)


class Scraped:
    """A registry with the collector, and what the store says now; None while it is away."""

    def __init__(self, reading: StoreReading | None) -> None:
        self.reading = reading
        self.reads = 0
        self._registry = CollectorRegistry()
        self._registry.register(FairnessCollector(self._read))

    def _read(self) -> StoreReading | None:
        self.reads += 1
        return self.reading

    def series(self) -> dict[str, float]:
        """Every series of one scrape, as it is exported."""
        lines = generate_latest(self._registry).decode().splitlines()
        return {
            name: float(value)
            for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))
        }


def test_registering_reads_nothing_and_a_scrape_reads_once() -> None:
    scraped = Scraped(reading(ENOUGH))
    assert scraped.reads == 0
    scraped.series()
    assert scraped.reads == 1


def test_every_figure_under_its_name_with_row_model_and_window() -> None:
    at = 'row="politeness"'
    epochs = [("a", "e-1", "s-1", "a-0401"), ("b", "e-2", "s-2", "")]
    assert Scraped(reading(ENOUGH, window="24h", epochs=epochs)).series() == {
        "evenhand_store_up": 1.0,
        f'evenhand_cfr_ratio{{model="a",{at},window="24h"}}': 0.125,
        f'evenhand_cfr_lower_ratio{{model="a",{at},window="24h"}}': 0.1,
        f'evenhand_cfr_upper_ratio{{model="a",{at},window="24h"}}': 0.25,
        f'evenhand_cfr_excess_ratio{{model="a",{at},window="24h"}}': -0.5,
        f'evenhand_masd_points{{model="a",{at},score="confidence",window="24h"}}': 3.5,
        # A difference of 0 that was measured is a figure; one that is unknown is not.
        f'evenhand_masd_points{{model="a",{at},score="improvement",window="24h"}}': 0.0,
        f'evenhand_window_comparisons{{model="a",{at},window="24h"}}': 400.0,
        f'evenhand_window_transcripts{{model="a",{at},window="24h"}}': 80.0,
        'evenhand_epoch_info{epoch="e-1",model="a",served_model="a-0401",system_id="s-1"}': 1.0,
        'evenhand_epoch_info{epoch="e-2",model="b",served_model="",system_id="s-2"}': 1.0,
    }


def test_with_too_few_comparisons_there_are_counts_and_no_figure() -> None:
    assert Scraped(reading(TOO_FEW)).series() == {
        "evenhand_store_up": 1.0,
        'evenhand_window_comparisons{model="a",row="politeness",window="1h"}': 8.0,
        'evenhand_window_transcripts{model="a",row="politeness",window="1h"}': 2.0,
    }


def test_without_the_store_there_is_only_the_word_of_it_and_figures_come_back_with_it() -> None:
    scraped = Scraped(reading(ENOUGH))
    before = scraped.series()
    scraped.reading = None
    assert scraped.series() == {"evenhand_store_up": 0.0}
    scraped.reading = reading(ENOUGH)
    assert scraped.series() == before


def test_what_the_store_no_longer_gives_vanishes() -> None:
    scraped = Scraped(reading(ENOUGH))
    assert any('model="a"' in name for name in scraped.series())
    scraped.reading = reading(WindowFigures("politeness", "b", "e-2", 60, 20, cfr=0.5, cfr_interval=(0.4, 0.6)))
    after = scraped.series()
    assert any('model="b"' in name for name in after)
    assert not any('model="a"' in name for name in after)
    scraped.reading = reading()
    assert scraped.series() == {"evenhand_store_up": 1.0}
