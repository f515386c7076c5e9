"""Places where a transcript names the agent, and in which form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["first", "last"]
Form = Literal["name", "initial", "spelled", "alphabet", "hint"]


@dataclass(frozen=True)
class NameSpan:
    """One part of the agent's name as it stands in a turn, at `[start, end)` of its text.

    `form`: the name itself (in an e-mail address too), its initial, spelled letter by letter ("M-A-R-Y"), by an
    alphabet ("M as in Mike"), or a hint at its first letter ("with a K").
    """

    turn: int
    start: int
    end: int
    part: Part
    form: Form = "name"
