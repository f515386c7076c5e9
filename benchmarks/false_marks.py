"""How often an audit of a judge without any bias marks a row, and how often a planted bias is found.

    python -m benchmarks.false_marks [--audits N] [--seed N] [--transcripts N ...]

An audit has all 15 rows with their attributes, 30 questions a transcript, two repeats of the original and a placebo
on the share of the transcripts that sampling gives one by default. Two judges without bias: one has its own noise
alone (4 % of answers differ between two calls, more in some transcripts than in others), the other one turns 4 % of
the answers of any reworded or extended text besides, whatever the change is. A third one reacts to one row's
attributes, of two or of six: 12 % of the answers differ between two of them and 6 % between one and its placebo.
Answers are drawn here, without anything of the project's; the verdicts and directions are the project's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.estimators.multiplicity import holm
from metrics.estimators.paired_difference import Clusters
from metrics.figures.cluster_sums import NetSums, PairSums
from metrics.figures.direction import Direction, direction
from metrics.figures.estimates import excess_cfr, excess_p_value
from metrics.figures.thresholds import DEFAULT
from metrics.verdicts.row_verdict import Evidence, Excess, RowVerdict, row_verdicts
from perturbations.rows import ROWS, Row

QUESTIONS = 30
PLACEBO_RATE = 0.25

Answers = NDArray[np.bool_]
"""Yes or no, transcripts by questions."""


@dataclass(frozen=True)
class Judge:
    """Shares of answers: turned by a call on its own, by any rewording, by an attribute of the row it reacts to."""

    name: str
    noise: float
    rewording: float
    attribute: float = 0.0
    reacts_to: str | None = None


NOISE = Judge("own noise alone", 0.02, 0.0)
REWORDING = Judge("any rewording turns 4 %", 0.02, 0.04)
REACTS = [
    Judge(f"reacts to {row}: 12 % against 6 %", 0.0155, 0.0155, 0.034, row)
    for row in ("agent_gender", "agent_ethnicity_name")
]


@dataclass(frozen=True)
class Audit:
    """What one audit says of each row."""

    verdicts: Mapping[str, RowVerdict]
    directions: Mapping[str, Direction]

    @property
    def attribute(self) -> bool:
        """Whether any row reacts to its attribute."""
        return any(verdict.verdict == "attribute" for verdict in self.verdicts.values())

    @property
    def star(self) -> bool:
        """Whether any row favours an attribute beyond chance."""
        return any(known.beyond_chance for known in self.directions.values())


def audit(rng: np.random.Generator, judge: Judge, transcripts: int, placebo_rate: float) -> Audit:
    """One audit of this judge."""
    yes_rate = rng.beta(7, 3, (transcripts, 1))
    truth = rng.random((transcripts, QUESTIONS)) < yes_rate
    unsteady = rng.lognormal(-0.125, 0.5, (transcripts, 1))

    def call(text: Answers) -> Answers:
        return text ^ (rng.random(text.shape) < np.minimum(judge.noise * unsteady, 0.5))

    def reworded(text: Answers) -> Answers:
        return text ^ (rng.random(text.shape) < judge.rewording)

    original, repeat = call(truth), call(truth)
    everywhere = np.ones(transcripts, bool)
    repeats = _sums([(original, repeat)], everywhere)
    evidence, directions = {}, {}
    for name, row in ROWS.items():
        drawn = rng.random(transcripts) < placebo_rate
        arms, placebos = {}, []
        for attribute in row.attributes:
            if row.is_original(attribute):
                arms[attribute] = original
                placebos.append((original, call(reworded(truth))))
                continue
            told = truth ^ (rng.random(truth.shape) < (judge.attribute if name == judge.reacts_to else 0))
            arms[attribute] = call(reworded(told))
            if row.original_attribute is None:
                placebos.append((arms[attribute], call(reworded(told))))
        pairs = [(arms[a], arms[b]) for a, b in row.attribute_pairs()]
        own, again = _sums(pairs, everywhere), _sums(placebos, drawn)
        like = _sums([(arms[a], arms[b]) for a, b in row.attribute_pairs() if row.is_like_placebos(a, b)], everywhere)
        over_repeats, over_placebos = excess_cfr(own, repeats, DEFAULT), excess_cfr(like, again, DEFAULT)
        evidence[name] = Evidence(
            *(
                Excess(x.value, x.interval, excess_p_value(x, sums, base), base.transcripts, "short")
                for x, sums, base in ((over_repeats, own, repeats), (over_placebos, like, again))
            )
        )
        directions[name] = direction(row, _nets(row, arms), _net(placebos[0], drawn), DEFAULT)
    adjusted = holm({name: known.p_value for name, known in directions.items()})
    return Audit(
        row_verdicts(evidence, margin=DEFAULT.margin, least=DEFAULT.transcripts),
        {name: known.with_adjusted(adjusted.get(name)) for name, known in directions.items()},
    )


def _clusters(values: NDArray[np.int64], count: int, drawn: NDArray[np.bool_]) -> Clusters:
    return {f"{t:06}": (float(values[t]), count) for t in np.flatnonzero(drawn)}


def _sums(pairs: Sequence[tuple[Answers, Answers]], drawn: NDArray[np.bool_]) -> PairSums:
    flips = sum(((a != b).sum(axis=1) for a, b in pairs), np.zeros(len(drawn), np.int64))
    return PairSums(_clusters(flips, QUESTIONS * len(pairs), drawn), {})


def _net(pair: tuple[Answers, Answers], drawn: NDArray[np.bool_]) -> NetSums:
    a, b = pair
    gained, lost = (b & ~a).sum(axis=1), (a & ~b).sum(axis=1)
    return NetSums(_clusters(gained, QUESTIONS, drawn), _clusters(lost, QUESTIONS, drawn))


def _nets(row: Row, arms: Mapping[str, Answers]) -> dict[str, NetSums]:
    everywhere = np.ones(len(next(iter(arms.values()))), bool)
    nets = {}
    for attribute in row.attributes:
        others = [arms[other] for other in row.attributes if other != attribute]
        gained = sum((arms[attribute] & ~other).sum(axis=1) for other in others)
        lost = sum((other & ~arms[attribute]).sum(axis=1) for other in others)
        count = QUESTIONS * len(others)
        nets[attribute] = NetSums(_clusters(gained, count, everywhere), _clusters(lost, count, everywhere))
    return nets


def audits(judge: Judge, *, count: int, transcripts: int, seed: int, placebo_rate: float) -> Iterator[Audit]:
    """So many audits of this judge."""
    for i in range(count):
        yield audit(np.random.default_rng([seed, i, transcripts]), judge, transcripts, placebo_rate)


def main() -> int:
    """Print each judge's share of audits beside its goal; 1 where one isn't met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audits", type=int, default=400)
    parser.add_argument("--seed", type=int, default=20261201)
    parser.add_argument("--transcripts", type=int, nargs="+", default=[80, 200])
    parser.add_argument("--placebo-rate", type=float, default=PLACEBO_RATE)
    options = parser.parse_args()
    met = True
    print(f"{'judge':46} {'transcripts':>11} {'attribute':>10} {'star':>7} {'either':>7}   goal")
    for judge in (NOISE, REWORDING):
        for transcripts in options.transcripts:
            made = list(_progress(judge, options, transcripts))
            marked = [any((a.attribute, a.star)) for a in made]
            either = sum(marked) / len(made)
            met &= either <= 0.05
            attribute, star = (
                sum(column) / len(made) for column in ((a.attribute for a in made), (a.star for a in made))
            )
            print(f"{judge.name:46} {transcripts:>11} {attribute:>10.1%} {star:>7.1%} {either:>7.1%}   either <= 5 %")
    for judge in REACTS:
        made = list(_progress(judge, options, 200))
        power = sum(a.verdicts[judge.reacts_to or ""].verdict == "attribute" for a in made) / len(made)
        met &= power >= 0.9
        print(f"{judge.name:46} {200:>11} {power:>10.1%} {'':>7} {'':>7}   attribute >= 90 %")
    return 0 if met else 1


def _progress(judge: Judge, options: argparse.Namespace, transcripts: int) -> Iterator[Audit]:
    chosen = {"count": options.audits, "seed": options.seed, "placebo_rate": options.placebo_rate}
    for i, made in enumerate(audits(judge, transcripts=transcripts, **chosen), start=1):
        if sys.stderr.isatty():
            print(f"\r{judge.name}: {i} of {options.audits}", end="\r", file=sys.stderr)
        yield made


if __name__ == "__main__":
    sys.exit(main())
