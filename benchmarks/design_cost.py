"""What a row costs: judge calls for a CFR interval of ± 1 point, with all arms and with some of them.

    python -m benchmarks.design_cost

A row of six attributes whose arms turn answers unequally often, on transcripts that differ in how prone they are.
With `arms` below six each transcript gets that many attributes, drawn so that every pair is equally likely: a
balanced incomplete design. The calls are those of the row's arms; the original and its repeat come on top.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from metrics.estimators.interval import Cluster, effective, transcripts_needed

ATTRIBUTES = 6
UNEQUAL = (0.4, 0.7, 0.9, 1.1, 1.3, 1.6)
"""How often each attribute turns an answer, relative to their mean."""

PRECISION = 0.01


@dataclass(frozen=True)
class Cost:
    """One design: the CFR it finds, the transcripts and judge calls that the precision takes."""

    arms: int
    cfr: float
    truth: float
    transcripts: int
    calls: int


def cost(
    arms: int, *, turning: float, icc: float, questions: int = 30, transcripts: int = 3000, seed: int = 7
) -> Cost:
    """What this many arms a transcript take; `turning`: how likely an arm turns an answer, on average."""
    rng = np.random.default_rng([seed, arms])
    proneness = rng.beta(turning * (1 - icc) / icc, (1 - turning) * (1 - icc) / icc, transcripts)
    clusters: list[Cluster] = []
    truth = 0.0
    for own in proneness:
        each = np.minimum(own * np.array(UNEQUAL), 1.0)
        pairs = [a + b - 2 * a * b for i, a in enumerate(each) for b in each[i + 1 :]]
        truth += sum(pairs) / len(pairs) / transcripts
        chosen = rng.choice(ATTRIBUTES, size=arms, replace=False)
        turned = (rng.random((questions, arms)) < each[chosen]).sum(axis=1)
        clusters.append((int((turned * (arms - turned)).sum()), questions * arms * (arms - 1) // 2))
    sample = effective(clusters)
    if sample is None:
        raise ValueError("two transcripts at least")
    needed = transcripts_needed(sample, PRECISION)
    return Cost(arms, sample.rate, truth, needed, needed * arms)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turning", type=float, default=0.04)
    options = parser.parse_args()
    print(
        f"{'ICC':>5} {'arms':>5} {'CFR %':>7} {'truth %':>8} {'transcripts':>12} {'judge calls':>12} {'of full':>8}"
    )
    for icc in (0.02, 0.1, 0.3):
        full = cost(ATTRIBUTES, turning=options.turning, icc=icc)
        for arms in (2, 3, 4, 5, 6):
            cheaper = full if arms == ATTRIBUTES else cost(arms, turning=options.turning, icc=icc)
            print(
                f"{icc:5} {arms:5} {100 * cheaper.cfr:7.2f} {100 * cheaper.truth:8.2f} {cheaper.transcripts:12,} "
                f"{cheaper.calls:12,} {cheaper.calls / full.calls:8.2f}"
            )


if __name__ == "__main__":
    main()
