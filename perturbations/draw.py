"""One draw: whatever a variant picks (names, cues, places, header values) is picked through it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from perturbations.records.hashing import fraction, pick

Choice = TypeVar("Choice")

RETRIES = 3
"""A variant that fails validation is drawn again this often (section 2.3), then rejected."""

EVERY_ATTRIBUTE = "*"
"""The attribute under which all attributes of a row draw the same."""


@dataclass(frozen=True)
class Draw:
    """The key of everything drawn for one arm.

    `draw` 0 is the arm, 1 its placebo. `attempt` counts the retries after a failed validation (0 to 3).
    """

    seed: int
    transcript_id: str
    dimension: str
    attribute: str
    draw: int = 0
    attempt: int = 0

    def attempts(self) -> Iterator[Draw]:
        """The draw itself, then its retries: 4 in all."""
        return (replace(self, attempt=attempt) for attempt in range(RETRIES + 1))

    def fraction(self, purpose: str) -> float:
        """A number in [0, 1) for this purpose."""
        return fraction(*self.key(), purpose)

    def pick(self, options: Sequence[Choice], purpose: str) -> Choice:
        """One of the options for this purpose; raises IndexError where there is none."""
        return pick(options, *self.key(), purpose)

    def share(self, order: Sequence[Choice]) -> Choice | None:
        """One of what stands in a drawn order: the arm's next at each retry, the placebo's from those behind.

        None where the arm leaves the placebo nothing, or there is nothing at all.
        """
        own = min(RETRIES + 1, math.ceil(len(order) / 2))
        left = order[own:] if self.draw else order[:own]
        return left[self.attempt % len(left)] if left else None

    def for_attribute(self, attribute: str) -> Draw:
        """The same draw keyed by another attribute, for what two attributes must share."""
        return replace(self, attribute=attribute)

    def key(self) -> tuple[str | int, ...]:
        """All that the draw depends on."""
        return (self.seed, self.transcript_id, self.dimension, self.attribute, self.draw, self.attempt)
