"""Where a remark comes to stand: a turn of the agent's own at a natural place, or the end of the goodbye."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perturbations.draw import Draw
from perturbations.finding.agent import Agent
from perturbations.identity.remark import Remark
from perturbations.records.edit import Edit, Insertion, Replacement
from perturbations.records.transcript import Turn
from perturbations.text.places import agent_turn_places, is_question, place_after_greeting
from perturbations.text.spoken_form import as_spoken

_EARLY_PLACES = 3
_WORK = 0.7
"""The share of a call in which there is work to do: remarks are made there, not after the goodbye."""

_GOODBYE = re.compile(r"\b(?:bye|goodbye|calling|day|evening|night|weekend|care|welcome|contacting|choosing)\b", re.I)


def add_remark(turns: Sequence[Turn], remark: Remark, draw: Draw, *, farewell: int | None = None) -> Edit:
    """The edit that makes the agent say it, written as the agent's turns are; `farewell` is the turn of the goodbye.

    A turn of its own stands where no question waits for its answer; where every turn asks, after the greeting; never
    first.
    """
    text = as_spoken(remark.text, turns)
    if remark.place == "farewell" and farewell is not None:
        return _at_the_end(farewell, turns[farewell].text, text)
    places = agent_turn_places(turns)
    if remark.place == "early":
        places = places[:_EARLY_PLACES]
    places = [place for place in places if place <= len(turns) * _WORK] or places[:1]
    place = draw.pick(places, "place") if places else place_after_greeting(turns)
    return Insertion(turn=len(turns) if place is None else place, speaker="agent", after=text)


def farewell_turn(turns: Sequence[Turn], agent: Agent) -> int | None:
    """The agent's last turn where it says goodbye and its last word isn't the agent's name."""
    last = max((index for index, turn in enumerate(turns) if turn.speaker == "agent"), default=None)
    if last is None or is_question(turns[last].text) or not _GOODBYE.search(turns[last].text):
        return None
    start = _last_word(turns[last].text)
    ends = [span.end for span in agent.names if span.turn == last]
    ends += [span.end for span in agent.terms if span.turn == last]
    return None if any(end > start for end in ends) else last


def _last_word(text: str) -> int:
    """Where the last word begins."""
    stripped = text.rstrip()
    return max(stripped.rfind(space) for space in (" ", "\n", "\t")) + 1


def _at_the_end(turn: int, text: str, cue: str) -> Replacement:
    start, end = _last_word(text), len(text.rstrip())
    before = text[start:end]
    unmarked = cue.islower() and before[-1:].isalnum()
    joint = " " if before[-1:] in ".!?" or unmarked else ". "
    return Replacement(turn=turn, start=start, end=end, before=before, after=f"{before}{joint}{cue}")
