"""e-BH over many e-processes at once, as time goes on."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Hypothesis = TypeVar("Hypothesis", bound=Hashable)
Time = TypeVar("Time")


@dataclass(frozen=True)
class Step(Generic[Hypothesis, Time]):
    """One e-process moves on: its hypothesis, when, and the logarithm of its e-value from then on."""

    hypothesis: Hypothesis
    at: Time
    log_e: float


def e_bh(log_e: Mapping[Hypothesis, float], *, alpha: float, hypotheses: int) -> frozenset[Hypothesis]:
    """The hypotheses that the e-Benjamini-Hochberg procedure rejects at false discovery rate `alpha`.

    The k largest, for the largest k with e_(k) >= K / (alpha k), K = `hypotheses`; whatever the dependence between
    them (Wang and Ramdas, JRSS B 84, 2022). Those that aren't in `log_e` have an e-value of 1.
    """
    ordered = sorted(log_e.values(), reverse=True)
    kept = 0
    for k, value in enumerate(ordered, start=1):
        if value >= math.log(hypotheses / (alpha * k)):
            kept = k
    if not kept:
        return frozenset()
    return frozenset(name for name, value in log_e.items() if value >= ordered[kept - 1])


def first_selected(
    steps: Iterable[Step[Hypothesis, Time]], *, alpha: float, hypotheses: Callable[[Time], int]
) -> Sequence[Step[Hypothesis, Time]]:
    """Each hypothesis at the step at which e-BH first selects it, in the order of the steps given.

    `hypotheses` says how many there are at a moment. With every null true, that any is ever selected has probability
    `alpha` at most while their number stays the same: it takes a mean e-value of 1/alpha, and the mean of e-processes
    is one. Each time that their number grows adds `alpha` at most.
    """
    now: dict[Hypothesis, float] = {}
    last: dict[Hypothesis, Step[Hypothesis, Time]] = {}
    selected: dict[Hypothesis, Step[Hypothesis, Time]] = {}
    near: set[Hypothesis] = set()
    least = -math.log(alpha)
    for step in steps:
        now[step.hypothesis] = step.log_e
        last[step.hypothesis] = step
        if step.log_e < least:
            near.discard(step.hypothesis)
            continue
        if step.hypothesis not in selected:
            near.add(step.hypothesis)
        if not near:
            continue
        for name in e_bh(now, alpha=alpha, hypotheses=hypotheses(step.at)) - selected.keys():
            # Another process may carry this one over the line: it counts from the moment when that happens.
            selected[name] = Step(name, step.at, last[name].log_e)
            near.discard(name)
    return list(selected.values())
