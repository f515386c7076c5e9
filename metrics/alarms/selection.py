"""e-BH over many e-processes at once, as time goes on."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)
Moment = TypeVar("Moment")


@dataclass(frozen=True)
class Step(Generic[Name, Moment]):
    """One e-process moves on: its hypothesis, when, and the logarithm of its e-value from then on."""

    name: Name
    moment: Moment
    log_e: float


def e_bh(log_e: Mapping[Name, float], *, alpha: float, hypotheses: int) -> frozenset[Name]:
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
    steps: Iterable[Step[Name, Moment]], *, alpha: float, hypotheses: Callable[[Moment], int]
) -> Sequence[Step[Name, Moment]]:
    """Each hypothesis at the step at which e-BH first selects it, in the order of the steps given.

    `hypotheses` says how many there are at a moment. With every null true, that any is ever selected has probability
    `alpha` at most while their number stays the same: it takes a mean e-value of 1/alpha, and the mean of e-processes
    is one. Each time that their number grows adds `alpha` at most.
    """
    now: dict[Name, float] = {}
    last: dict[Name, Step[Name, Moment]] = {}
    found: dict[Name, Step[Name, Moment]] = {}
    near: set[Name] = set()
    least = -math.log(alpha)
    for step in steps:
        now[step.name] = step.log_e
        last[step.name] = step
        if step.log_e < least:
            near.discard(step.name)
            continue
        if step.name not in found:
            near.add(step.name)
        if not near:
            continue
        for name in e_bh(now, alpha=alpha, hypotheses=hypotheses(step.moment)) - found.keys():
            # Another process may carry this one over the line: it is told at the moment when that happens.
            found[name] = Step(name, step.moment, last[name].log_e)
            near.discard(name)
    return list(found.values())
