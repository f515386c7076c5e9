"""What the judge sees of each row in one arm: a state per row, told by the cues of its profile."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from evaluators.simulated.cue_spec import AgentNameCue, AgentPhrase, CueSpec, HeaderLine, MarkerCount
from evaluators.simulated.phrase_cue import phrase_state
from evaluators.simulated.prompt_reading import PromptReading
from evaluators.simulated.seen_agent import seen_agent
from perturbations.records.transcript import Turn
from perturbations.style.style_markers import count_markers

ABSENT = "absent"
"""Nothing of the row is to be seen: it moves nothing."""


@dataclass(frozen=True)
class Sight:
    """One arm as the cues look at it.

    `own_words`: the agent's turns without the phrases that rows insert, so that a courtesy within such a phrase isn't
    taken for the agent's style.
    """

    header: str
    turns: tuple[Turn, ...]
    agent_turns: tuple[str, ...]
    own_words: tuple[str, ...]


def sight_of(reading: PromptReading, inserted: re.Pattern[str] | None) -> Sight:
    """What the cues look at; `inserted` finds every phrase of every agent_phrase cue."""
    said = tuple(turn.text for turn in reading.turns if turn.speaker == "agent")
    own_words = said if inserted is None else tuple(_without(inserted, text) for text in said)
    return Sight(reading.header or "", reading.turns, said, own_words)


def state_of(cue: CueSpec, sight: Sight) -> str:
    """What is seen by this cue, or ABSENT. Two arms of a row differ for the judge where their states do."""
    match cue:
        case HeaderLine(prefixes=prefixes):
            return _header_state(prefixes, sight.header)
        case AgentPhrase():
            states = (phrase_state(cue, text) for text in sight.agent_turns)
            return next((state for state in states if state is not None), ABSENT)
        case AgentNameCue(tells=tells):
            return _name_state(tells, sight.turns)
        case MarkerCount(style=style):
            return f"holds {sum(_marker_count(style, text) for text in sight.own_words)}"


def _header_state(prefixes: tuple[str, ...], header: str) -> str:
    for line in header.split("\n"):
        if line.startswith(prefixes):
            return f"says {line.strip()}"
    return ABSENT


def _name_state(tells: str, turns: tuple[Turn, ...]) -> str:
    agent = seen_agent(turns)
    if agent is None:
        return ABSENT
    group = agent.gender if tells == "gender" else agent.group(f"agent_{tells}")
    return group or ABSENT


@lru_cache(maxsize=50_000)
def _marker_count(style: str, text: str) -> int:
    return count_markers(style, text)


@lru_cache(maxsize=20_000)
def _without(inserted: re.Pattern[str], text: str) -> str:
    return inserted.sub(" ", text)
