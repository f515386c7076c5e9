"""False alarms and delays of the alarms, on simulated transcripts.

    python -m benchmarks.alarm_rates [--streams 500]

False alarms: streams of 20,000 transcripts without any change, after 500, 2,000 and 10,000 previous ones, at alpha
0.05; beside them a rolling two-sided z-test (window 500, looked at every 50) that takes the previous rate as known.
Half of the streams flip all or nothing, half have 30 questions a transcript.

Delays: a judge whose rate rises at a swap, or silently after 5,000 transcripts, at alpha 0.001. The bound of a swap
is what no test of two samples can beat: the least n with n0 KL(p0, t) + n KL(p1, t) >= log(1/alpha), t the common
rate; that of a silent rise log(1/alpha) / KL(p1, p0).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from metrics.alarms.evidence import drift_evidence, excess_evidence, silent_evidence

Floats = NDArray[np.float64]

RATE = 0.06
LIMIT = 0.02


@dataclass(frozen=True)
class FalseAlarms:
    """How many of the streams without a change gave an alarm."""

    alarms: int
    streams: int

    @property
    def most(self) -> float:
        """The upper end of the exact one-sided 95 % bound of the rate of false alarms."""
        bound = binomtest(self.alarms, self.streams, alternative="less").proportion_ci(0.95)
        return float(bound.high)


def fractions(rng: np.random.Generator, rate: float, count: int, *, questions: int = 1) -> Floats:
    """Flip fractions of so many transcripts; one question is the hardest case, all or nothing."""
    if questions == 1:
        return (rng.random(count) < rate).astype(np.float64)
    prone = rng.beta(rate * 9, (1 - rate) * 9, count)
    return np.asarray(rng.binomial(questions, prone) / questions, dtype=np.float64)


def rolling_z(before: Floats, after: Floats, *, window: int = 500, every: int = 50) -> bool:
    """Whether a rolling z-test against the previous rate ever crosses 1.96."""
    rate = float(before.mean())
    sums = np.concatenate(([0.0], np.cumsum(after)))
    ends = np.arange(window, len(after) + 1, every)
    means = (sums[ends] - sums[ends - window]) / window
    return bool((np.abs(means - rate) > 1.96 * float(before.std()) / math.sqrt(window)).any())


def false_alarms(
    kind: str, *, previous: int, streams: int, length: int = 20_000, alpha: float = 0.05, seed: int = 7
) -> FalseAlarms:
    """Streams without a change that alarm: `drift`, `silent`, `excess` (at its limit exactly) or `rolling z`."""
    alarms = 0
    for i in range(streams):
        rng = np.random.default_rng([seed, previous, i])
        questions = 1 if i % 2 else 30
        before, after = (fractions(rng, RATE, count, questions=questions) for count in (previous, length))
        if kind == "rolling z":
            alarms += rolling_z(before, after)
            continue
        if kind == "drift":
            evidence = drift_evidence(before, after)
        elif kind == "silent":
            evidence = silent_evidence(np.concatenate((before, after)))
        else:
            row = fractions(rng, RATE + LIMIT, length, questions=questions)
            evidence = excess_evidence(row - after, limit=LIMIT)
        alarms += bool(evidence.max() >= -math.log(alpha))
    return FalseAlarms(alarms, streams)


def swap_delay(
    new_rate: float, *, previous: int, runs: int, alpha: float = 0.001, most: int = 8000, seed: int = 7
) -> float:
    """The median number of new transcripts until `drift` alarms after a swap."""
    delays = []
    for i in range(runs):
        rng = np.random.default_rng([seed, previous, i])
        before, after = fractions(rng, RATE, previous), fractions(rng, new_rate, most)
        delays.append(_first(drift_evidence(before, after), alpha))
    return median(delays)


def silent_delay(
    new_rate: float, *, change_at: int = 5000, runs: int, alpha: float = 0.001, most: int = 5000, seed: int = 7
) -> float:
    """The median number of transcripts until `drift` without a swap alarms after the change."""
    delays = []
    for i in range(runs):
        rng = np.random.default_rng([seed, change_at, i])
        x = np.concatenate((fractions(rng, RATE, change_at), fractions(rng, new_rate, most)))
        delays.append(_first(silent_evidence(x), alpha) - change_at)
    return median(delays)


def two_sample_bound(new_rate: float, *, previous: int, alpha: float = 0.001) -> int:
    """The least number of new transcripts that any test of two samples needs, on average."""
    n = 1
    while True:
        common = (previous * RATE + n * new_rate) / (previous + n)
        if previous * _kl(RATE, common) + n * _kl(new_rate, common) >= -math.log(alpha):
            return n
        n += 1


def known_rate_bound(new_rate: float, *, alpha: float = 0.001) -> float:
    """The same where the old rate is known: log(1/alpha) / KL."""
    return -math.log(alpha) / _kl(new_rate, RATE)


def _kl(p: float, q: float) -> float:
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def _first(evidence: Floats, alpha: float) -> float:
    crossed = np.nonzero(evidence >= -math.log(alpha))[0]
    return float(crossed[0] + 1) if len(crossed) else math.inf


def main(say: Callable[[str], None] = print) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--runs", type=int, default=400)
    options = parser.parse_args()
    say(f"{'alarm':12} {'previous':>9} {'false alarms at 0.05':>22}")
    for kind in ("drift", "silent", "excess", "rolling z"):
        for previous in (500, 2000, 10_000):
            rate = false_alarms(kind, previous=previous, streams=options.streams)
            share = f"{rate.alarms:8} of {rate.streams} {rate.alarms / rate.streams:8.1%}"
            say(f"{kind:12} {previous:9,} {share}, at most {rate.most:.1%}")
    say(f"\n{'rise, alpha 0.001':28} {'median delay':>13} {'bound':>8} {'ratio':>7}")
    for new_rate, previous in ((0.12, 10_000), (0.12, 2000), (0.18, 10_000), (0.18, 2000), (0.09, 10_000)):
        delay = swap_delay(new_rate, previous=previous, runs=options.runs)
        bound = two_sample_bound(new_rate, previous=previous)
        say(f"swap, 6 to {100 * new_rate:.0f} %, {previous:6,} before {delay:16,.0f} {bound:8,} {delay / bound:7.2f}")
    for new_rate in (0.12, 0.18):
        delay, known = silent_delay(new_rate, runs=options.runs), known_rate_bound(new_rate)
        say(f"silent, 6 to {100 * new_rate:.0f} % after 5,000 {delay:13,.0f} {known:8,.0f} {delay / known:7.2f}")


if __name__ == "__main__":
    main()
