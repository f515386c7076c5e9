"""Who is favoured: the attributes of a row with the largest and the smallest advantage."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Attribute = TypeVar("Attribute")


def extremes(
    attributes: Iterable[Attribute], advantage: Callable[[Attribute], float | None]
) -> tuple[Attribute, Attribute] | None:
    """The most and the least favoured of a row's attributes, in the row's order; None where fewer than two are known.

    Of equal ones the last is the most favoured and the first the least.
    """
    known = [(value, attribute) for attribute in attributes if (value := advantage(attribute)) is not None]
    if len(known) < 2:
        return None
    ordered = sorted(known, key=lambda pair: pair[0])
    return ordered[-1][1], ordered[0][1]
