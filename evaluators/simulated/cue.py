"""What the judge sees of each row in one arm: a state per row, told by the cues of its profile."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from evaluators.simulated.cue_spec import AgentPhrase, Cue, HeaderLine, MarkerCount
from evaluators.simulated.reading import Reading
from perturbations.style_markers import count_markers

ABSENT = "absent"
"""Nothing of the row is to be seen: it moves nothing."""

PRESENT = "present"


@dataclass(frozen=True)
class Sight:
    """One arm as the cues look at it.

    `own_words`: the agent's turns without the phrases that rows insert, so that a courtesy within such a phrase isn't
    taken for the agent's style.
    """

    header: str
    agent_turns: tuple[str, ...]
    own_words: tuple[str, ...]


def sight_of(reading: Reading, inserted: tuple[str, ...]) -> Sight:
    """What the cues look at; `inserted` are all phrases of all agent_phrase cues."""
    said = tuple(_single_spaced(turn.text) for turn in reading.turns if turn.speaker == "agent")
    return Sight(reading.header or "", said, tuple(_without(inserted, text) for text in said))


def state_of(cue: Cue, sight: Sight) -> str:
    """What is seen by this cue, or ABSENT. Two arms of a row differ for the judge where their states do."""
    match cue:
        case HeaderLine(prefixes=prefixes):
            return _header_state(prefixes, sight.header)
        case AgentPhrase(phrases=phrases):
            return PRESENT if any(_any_of(phrases).search(text) for text in sight.agent_turns) else ABSENT
        case MarkerCount(style=style):
            return f"holds {sum(_marker_count(style, text) for text in sight.own_words)}"


def _header_state(prefixes: tuple[str, ...], header: str) -> str:
    for line in header.split("\n"):
        if line.startswith(prefixes):
            return f"says {line.strip()}"
    return ABSENT


@lru_cache(maxsize=50_000)
def _marker_count(style: str, text: str) -> int:
    return count_markers(style, text)


@lru_cache(maxsize=20_000)
def _without(phrases: tuple[str, ...], text: str) -> str:
    return _any_of(phrases).sub(" ", text) if phrases else text


@lru_cache(maxsize=100)
def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    # Longest first: a phrase that another one begins with would be taken for it.
    ordered = sorted(map(_single_spaced, phrases), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)


def _single_spaced(text: str) -> str:
    return " ".join(text.split())
