"""Cues of a group: a short benign remark of the agent's, the same in every attribute but for the group it tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from perturbations.agent import Agent
from perturbations.data_file import read_rows
from perturbations.draw import Draw
from perturbations.edit import Edit, Insertion, Replacement
from perturbations.places import agent_turn_places, is_question, place_after_greeting
from perturbations.spoken_form import as_spoken
from perturbations.transcript import Transcript, Turn

_EVERY_ATTRIBUTE = "*"
_WORK = 0.7
_RETRIES_AND_ARM = 4
_GOODBYE = re.compile(r"\b(?:bye|goodbye|calling|day|evening|night|weekend|care|welcome|contacting|choosing)\b", re.I)


@dataclass(frozen=True)
class Frame:
    """One remark in the wording of each group. `place`: a turn of its own (`aside`), or the `farewell`'s end."""

    name: str
    place: str
    texts: dict[str, str]


class CueError(ValueError):
    """Cues that can't be used: a frame lacks a group, or says the same for two."""


@cache
def frames(name: str, groups: tuple[str, ...]) -> tuple[Frame, ...]:
    """The frames of a file of cues. Raises CueError where one lacks a group or says the same for two."""
    found: dict[str, Frame] = {}
    for row in read_rows(name):
        frame = found.setdefault(row["frame"], Frame(row["frame"], row["place"], {}))
        frame.texts[row["group"]] = row["text"]
    for frame in found.values():
        if set(frame.texts) != set(groups) or len(set(frame.texts.values())) != len(groups):
            raise CueError(f"the frame {frame.name} needs another wording for each of {', '.join(groups)}")
    return tuple(found.values())


def add_cue(transcript: Transcript, agent: Agent, attribute: str, draw: Draw, *, cues: Sequence[Frame]) -> Edit:
    """The edit that adds this attribute's cue.

    Frame and place are drawn for all attributes alike, so that two arms differ in the group alone.
    """
    shared = replace(draw.for_attribute(_EVERY_ATTRIBUTE), draw=0, attempt=0)
    farewell = _farewell_turn(transcript.turns, agent)
    usable = [frame for frame in cues if frame.place != "farewell" or farewell is not None]
    order = sorted(usable, key=lambda frame: (shared.fraction(f"cue:{frame.name}"), frame.name))
    frame = order[(draw.attempt + _RETRIES_AND_ARM * draw.draw) % len(order)]
    text = as_spoken(frame.texts[attribute], transcript.turns)
    if frame.place == "farewell" and farewell is not None:
        return _at_the_end(farewell, transcript.turns[farewell].text, text)
    places = agent_turn_places(transcript.turns)
    places = [place for place in places if place <= len(transcript.turns) * _WORK] or places[:1]
    drawn = replace(shared, draw=draw.draw, attempt=draw.attempt)
    place = drawn.pick(places, "place") if places else place_after_greeting(transcript.turns)
    return Insertion(turn=len(transcript.turns) if place is None else place, speaker="agent", after=text)


def _farewell_turn(turns: Sequence[Turn], agent: Agent) -> int | None:
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
