"""What a model refuses, learned once from the 400 that names it: never guessed, never asked for again.

One object a judge and process. Providers differ in how they name what they refuse; this knows the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from evaluators.provider import LADDER, OutputMode

_LIMIT_WORDS = re.compile(
    r"too large|too long|context (?:length|window)|context_length|at most \d|exceed|less than or equal|greater than|"
    r"must be (?:between|in the range|less|greater)|out of range|maximum (?:value|context)|too many tokens",
    re.I,
)
"""A 400 with these is about a value, not about the parameter as such: leaving it out would hide a wrong setting."""

_MODE_WORDS = {
    "schema": re.compile(
        r"response_format|json_?[ -]?schema|structured.output|guided.(?:json|decoding)|output_config|output_format|"
        r"outputconfig|textformat",
        re.I,
    ),
    "tool": re.compile(r"\btools?\b|tool_choice|toolconfig|toolchoice|function.call", re.I),
    "prompt": re.compile(r"(?!)"),
}

_SPELLINGS = {"effort": ("reasoning_effort",), "top_p": ("topP",)}
"""What providers call our parameters."""


@dataclass
class Capabilities:
    """What is known to be refused so far: parameters, and the rungs of the output ladder."""

    refused: set[str] = field(default_factory=set)
    refused_modes: set[OutputMode] = field(default_factory=set)

    def mode(self, highest: OutputMode) -> OutputMode:
        """The highest rung from `highest` down that isn't known to be refused."""
        rungs = LADDER[LADDER.index(highest) :]
        return next((rung for rung in rungs if rung not in self.refused_modes), "prompt")

    def learn(self, *, named: str | None, message: str, sent: Iterable[str], mode: OutputMode) -> str | None:
        """What the 400 refuses, now remembered: one of `sent`, or the rung `mode`; None where it refuses neither.

        `named` is the parameter that the response gives in a field of its own, `sent` the parameters of the request,
        those first that are to go first where the message names several.
        """
        if is_about_a_value(message):
            return None
        for name in sent:
            if _names(named, message, name):
                self.refused.add(name)
                return name
        if _MODE_WORDS[mode].search(named or message):
            self.refused_modes.add(mode)
            return mode
        return None


def is_about_a_value(message: str) -> bool:
    """Whether a 400's message is about the size of something rather than about a parameter as such."""
    return _LIMIT_WORDS.search(message) is not None


def _names(named: str | None, message: str, name: str) -> bool:
    spellings = (name, *_SPELLINGS.get(name, ()))
    if named:
        return any(named == spelling or named.endswith(f".{spelling}") for spelling in spellings)
    either = "|".join(map(re.escape, spellings))
    return re.search(rf"(?<![A-Za-z_])(?:{either})(?![A-Za-z_])", message) is not None
