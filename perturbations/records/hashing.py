"""Everything drawn follows from hashes of ids and a seed, so that a replay draws the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TypeVar

Choice = TypeVar("Choice")
KeyPart = str | int | float | None
"""What a draw may depend on: ids, seeds, purposes."""


def digest(*parts: KeyPart) -> str:
    """128 bits of SHA-256 over the parts, as 32 hex characters.

    The parts are encoded as a JSON array, so ("ab", "c") and ("a", "bc") differ, as do 1 and "1".
    """
    encoded = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(encoded.encode("ascii")).hexdigest()[:32]


def fraction(*parts: KeyPart) -> float:
    """A number in [0, 1), uniform over the parts (53 bits, exact as a float)."""
    return (int(digest(*parts), 16) >> 75) / (1 << 53)


def pick(options: Sequence[Choice], *parts: KeyPart) -> Choice:
    """One of `options`, uniform over the parts. Raises IndexError where there is none to pick."""
    if not options:
        raise IndexError("nothing to pick from")
    return options[int(fraction(*parts) * len(options))]
