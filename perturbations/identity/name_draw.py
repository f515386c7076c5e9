"""Which name an arm gets: drawn by hash, never the agent's own nor one that the transcript holds."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from perturbations.draw import RETRIES, Draw
from perturbations.identity.names import Name
from perturbations.writer import NotApplicable


def draw_name(names: Sequence[Name], draw: Draw, purpose: str, *, taken: Collection[str]) -> Name | None:
    """One of the names whose key isn't taken; None where none is left for this draw.

    The arm (`draw` 0) takes the first of a drawn order, a retry the next. The placebo takes from the names that
    neither the arm nor its first retries take, the nearest to the arm's in how many people bear them, so that the
    two differ in nothing that is known.
    """
    arm = replace(draw, draw=0, attempt=0)
    free = sorted((each for each in names if each.key not in taken), key=lambda each: each.key)
    order = sorted(free, key=lambda each: (arm.fraction(f"{purpose}:{each.key}"), each.key))
    half = math.ceil(len(order) / 2)
    retries = min(RETRIES + 1, half)
    if draw.draw == 0:
        return order[draw.attempt % retries] if order else None
    rest = sorted(order[retries:], key=lambda each: (_distance(each, order[0]), each.key))
    near = rest[: max(4, len(rest) // 3)]
    placebo = replace(draw, attempt=0)
    near.sort(key=lambda each: (placebo.fraction(f"{purpose}:{each.key}"), each.key))
    return near[draw.attempt % len(near)] if near else None


def none_left(draw: Draw) -> NotApplicable:
    """Why there is no name for this draw: `no_name_left`, for a placebo `no_second_draw`."""
    return NotApplicable("no_second_draw" if draw.draw else "no_name_left")


def _distance(name: Name, other: Name) -> float:
    return abs(math.log((name.bearers or 0) + 100) - math.log((other.bearers or 0) + 100))
