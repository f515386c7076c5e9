"""What the judge sees of each row in one arm: a state per row, told by the cues of its profile."""

from __future__ import annotations

import re
from functools import lru_cache

from evaluators.simulated.cue_spec import AgentPhrase, Cue, HeaderLine
from evaluators.simulated.reading import Reading

ABSENT = "absent"
"""Nothing of the row is to be seen: it moves nothing."""

PRESENT = "present"


def state_of(cue: Cue, reading: Reading) -> str:
    """What is seen by this cue, or ABSENT. Two arms of a row differ for the judge where their states do."""
    match cue:
        case HeaderLine(prefix=prefix):
            return _header_state(prefix, reading.header)
        case AgentPhrase(phrases=phrases):
            said = any(_said(phrases, turn.text) for turn in reading.turns if turn.speaker == "agent")
            return PRESENT if said else ABSENT


def _header_state(prefix: str, header: str | None) -> str:
    for line in (header or "").split("\n"):
        if line.startswith(prefix):
            return f"says {line.removeprefix(prefix).strip()}"
    return ABSENT


@lru_cache(maxsize=50_000)
def _said(phrases: tuple[str, ...], text: str) -> bool:
    return _any_of(phrases).search(" ".join(text.split())) is not None


@lru_cache(maxsize=100)
def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(" ".join(phrase.split())) for phrase in phrases), re.IGNORECASE)
