"""How often the 95 % intervals hold the truth, on simulated transcripts whose comparisons resemble each other.

    python -m benchmarks.interval_coverage [--repeats 4000]

Every transcript has a flip probability of its own, drawn from a beta distribution, so that two comparisons of one
transcript correlate by `icc`. With two attributes there is one pair; with six each arm turns an answer on its own and
all 15 pairs are compared, as in the ethnicity rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, ndtr

from metrics.estimators.interval import Cluster, Interval, mean_interval, rate_interval
from metrics.estimators.paired_difference import mean_difference_interval, rate_difference_interval

NOMINAL = 0.95

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Design:
    """Transcripts, questions each, attributes of the row, and the correlation within a transcript."""

    transcripts: int = 60
    questions: int = 30
    attributes: int = 2
    icc: float = 0.1

    @property
    def comparisons(self) -> int:
        """Comparisons of one transcript."""
        return self.questions * self.attributes * (self.attributes - 1) // 2


@dataclass(frozen=True)
class Coverage:
    """The share of intervals that hold the truth, and their mean width."""

    truth: float
    covered: float
    width: float


def rate_coverage(design: Design, rate: float, *, repeats: int, seed: int) -> Coverage:
    """Coverage of the pooled CFR's interval; `rate` is the mean of the transcripts' flip probabilities."""
    rng = np.random.default_rng(seed)
    a, b = _shape(rate, design.icc)
    flips = [
        _flips(rng, design, np.minimum(rng.beta(a, b, design.transcripts), _most(design))) for _ in range(repeats)
    ]
    return _covered(
        _capped_mean(a, b, _most(design)), [rate_interval(_clusters(x, design.comparisons)) for x in flips]
    )


def excess_coverage(
    design: Design, rate: float, noise: float, *, repeats: int, seed: int, likeness: float = 0.7
) -> Coverage:
    """Coverage of a row's excess over repeats; `likeness` ties a transcript's two flip probabilities."""
    rng = np.random.default_rng(seed)
    (a, b), (c, d) = _shape(rate, design.icc), _shape(noise, design.icc)
    intervals: list[Interval | None] = []
    for _ in range(repeats):
        # A Gaussian copula: beta margins, and a transcript prone to flips in the row is so in the repeats.
        own, chance = rng.normal(size=(2, design.transcripts))
        row_p = betaincinv(a, b, ndtr(own))
        repeat_p = betaincinv(c, d, ndtr(likeness * own + np.sqrt(1 - likeness**2) * chance))
        row = _named(rng.binomial(design.questions, row_p), design.questions)
        base = _named(rng.binomial(design.questions, repeat_p), design.questions)
        intervals.append(rate_difference_interval(row, base))
    return _covered(rate - noise, intervals)


def direction_coverage(design: Design, gain: float, loss: float, *, repeats: int, seed: int) -> Coverage:
    """Coverage of a net change P(no→yes) - P(yes→no), both clustered by transcript."""
    rng = np.random.default_rng(seed)
    a, b = _shape(gain + loss, design.icc)
    intervals: list[Interval | None] = []
    for _ in range(repeats):
        flips = rng.binomial(design.questions, rng.beta(a, b, design.transcripts))
        gained = rng.binomial(flips, gain / (gain + loss))
        up, down = _named(gained, design.questions), _named(flips - gained, design.questions)
        intervals.append(rate_difference_interval(up, down))
    return _covered(gain - loss, intervals)


def masd_coverage(design: Design, spread: float, share: float, *, repeats: int, seed: int) -> Coverage:
    """Coverage of a MASD: a share of transcripts' differences are exponential with mean `spread`, the rest 0."""
    rng = np.random.default_rng(seed)
    intervals: list[Interval | None] = []
    for _ in range(repeats):
        moved = rng.random((design.transcripts, 1)) < share
        own = rng.exponential(spread, (design.transcripts, 1)) * moved
        differences = np.abs(own * rng.uniform(0.5, 1.5, (design.transcripts, design.questions)))
        sums = [(float(x), design.questions) for x in differences.sum(axis=1)]
        intervals.append(mean_interval(sums, low=0, high=100))
    return _covered(share * spread, intervals)


def masd_excess_coverage(design: Design, spread: float, noise: float, *, repeats: int, seed: int) -> Coverage:
    """Coverage of a MASD's excess over repeats, both normal noise around a transcript's own spread."""
    rng = np.random.default_rng(seed)
    intervals: list[Interval | None] = []
    for _ in range(repeats):
        scale = rng.gamma(4.0, 0.25, (design.transcripts, 1))
        shape = (design.transcripts, design.questions)
        row = np.abs(rng.normal(0, spread, shape) * scale).sum(axis=1)
        base = np.abs(rng.normal(0, noise, shape) * scale).sum(axis=1)
        n = design.questions
        of_row = {f"{i:05}": (float(x), n) for i, x in enumerate(row)}
        of_repeats = {f"{i:05}": (float(x), n) for i, x in enumerate(base)}
        intervals.append(mean_difference_interval(of_row, of_repeats, scale=100))
    return _covered(float((spread - noise) * np.sqrt(2 / np.pi)), intervals)


def pooled_wilson(clusters: list[Cluster]) -> Interval:
    """The interval that takes every comparison as independent, for contrast."""
    n, z = sum(n for _, n in clusters), 1.959963984540054
    p = sum(x for x, _ in clusters) / n
    centre, half = p + z * z / (2 * n), z * float(np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)))
    return ((centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n))


def pooled_wilson_coverage(design: Design, rate: float, *, repeats: int, seed: int) -> Coverage:
    """Coverage of the Wilson interval on the pooled comparisons."""
    rng = np.random.default_rng(seed)
    a, b = _shape(rate, design.icc)
    flips = [
        _flips(rng, design, np.minimum(rng.beta(a, b, design.transcripts), _most(design))) for _ in range(repeats)
    ]
    return _covered(
        _capped_mean(a, b, _most(design)), [pooled_wilson(_clusters(x, design.comparisons)) for x in flips]
    )


def _shape(mean: float, icc: float) -> tuple[float, float]:
    return mean * (1 - icc) / icc, (1 - mean) * (1 - icc) / icc


def _most(design: Design) -> float:
    # Two arms that turn an answer independently differ in at most half of the cases.
    return 1.0 if design.attributes == 2 else 0.5


def _capped_mean(a: float, b: float, cap: float) -> float:
    return float(a / (a + b) * betainc(a + 1, b, cap) + cap * (1 - betainc(a, b, cap)))


def _flips(rng: np.random.Generator, design: Design, probability: NDArray[np.float64]) -> Counts:
    if design.attributes == 2:
        return np.asarray(rng.binomial(design.questions, probability), dtype=np.int64)
    turning = (1 - np.sqrt(1 - 2 * probability)) / 2
    shape = (design.transcripts, design.questions)
    turned = rng.binomial(design.attributes, np.broadcast_to(turning[:, None], shape))
    return np.asarray((turned * (design.attributes - turned)).sum(axis=1), dtype=np.int64)


def _clusters(flips: Counts, comparisons: int) -> list[Cluster]:
    return [(int(x), comparisons) for x in flips]


def _named(events: Counts, trials: int) -> dict[str, Cluster]:
    return {f"{i:05}": (int(x), trials) for i, x in enumerate(events)}


def _covered(truth: float, intervals: list[Interval | None]) -> Coverage:
    given = [interval for interval in intervals if interval is not None]
    hits = sum(low <= truth <= high for low, high in given)
    return Coverage(truth, hits / len(intervals), sum(high - low for low, high in given) / len(given))


def _table(repeats: int, seed: int) -> Iterator[tuple[str, Coverage]]:
    rates = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
    for design in (Design(), Design(attributes=6), Design(icc=0.02), Design(questions=5), Design(transcripts=300)):
        name = f"{design.transcripts} x {design.questions}, {design.attributes} attributes, ICC {design.icc}"
        for rate in rates:
            yield f"CFR, {name}", rate_coverage(design, rate, repeats=repeats, seed=seed)
    for rate in (0.01, 0.05, 0.2):
        yield "CFR by pooled Wilson, for contrast", pooled_wilson_coverage(Design(), rate, repeats=repeats, seed=seed)
    plain = Design()
    for rate, noise in ((0.02, 0.01), (0.05, 0.01), (0.05, 0.05), (0.12, 0.04), (0.2, 0.05)):
        yield f"excess, repeats {noise}", excess_coverage(plain, rate, noise, repeats=repeats, seed=seed)
    for gain, loss in ((0.01, 0.01), (0.03, 0.01), (0.05, 0.05), (0.1, 0.02)):
        yield f"net change {gain} - {loss}", direction_coverage(plain, gain, loss, repeats=repeats, seed=seed)
    for spread, share in ((5.0, 1.0), (8.0, 0.5), (10.0, 0.2)):
        yield f"MASD, {share:.0%} moved", masd_coverage(plain, spread, share, repeats=repeats, seed=seed)
    for spread, noise in ((5.0, 5.0), (8.0, 5.0)):
        yield (
            f"MASD excess, sd {spread}/{noise}",
            masd_excess_coverage(plain, spread, noise, repeats=repeats, seed=seed),
        )


def main(say: Callable[[str], None] = print) -> None:
    """Print the table: what, truth, coverage, its ratio to the nominal 95 %, mean width."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    say(f"{'interval':48} {'truth':>8} {'covered':>8} {'/nominal':>8} {'width':>8}")
    for name, coverage in _table(options.repeats, options.seed):
        shares = f"{coverage.covered:8.3f} {coverage.covered / NOMINAL:8.3f}"
        say(f"{name:48} {coverage.truth:8.4f} {shares} {coverage.width:8.4f}")


if __name__ == "__main__":
    main()
