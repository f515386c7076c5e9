"""Cues of a group: a short benign remark of the agent's, the same in every attribute but for the group it tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from perturbations.draw import Draw
from perturbations.finding.agent import Agent
from perturbations.identity.remark import remark_faults
from perturbations.records.edit import Edit, Insertion, Replacement
from perturbations.records.transcript import Transcript, Turn
from perturbations.source import Source, read_table, refuse
from perturbations.text.places import agent_turn_places, is_question, place_after_greeting
from perturbations.text.spoken_form import as_spoken
from perturbations.writer import NotApplicable

PLACES = ("aside", "farewell")

_EVERY_ATTRIBUTE = "*"
_WORK = 0.7
_NEEDED = ("frame", "group", "place", "text")
_GOODBYE = re.compile(r"\b(?:bye|goodbye|calling|day|evening|night|weekend|care|welcome|contacting|choosing)\b", re.I)


@dataclass(frozen=True)
class Frame:
    """One remark in the wording of each group. `place`: a turn of its own (`aside`), or the `farewell`'s end."""

    name: str
    place: str
    texts: dict[str, str]


def read_frames(source: Source, groups: Sequence[str]) -> tuple[Frame, ...]:
    """The frames of a table with the columns frame, group, place, text and, if wanted, source.

    Raises MaterialsError where a frame lacks a group, says the same for two or stands at two places, where a text
    isn't fit (see `remark_faults`), and where no frame is an `aside`: not every agent says goodbye.
    """
    found: dict[str, Frame] = {}
    faults: list[str] = []
    for line, row in read_table(source, needed=_NEEDED, allowed=(*_NEEDED, "source")):
        frame = found.setdefault(row["frame"], Frame(row["frame"], row["place"], {}))
        told = list(remark_faults(row["text"]))
        if row["group"] not in groups:
            told.append(f"group is {row['group']!r}, allowed are {', '.join(groups)}")
        elif row["group"] in frame.texts:
            told.append(f"{row['group']} stands twice in the frame {frame.name}")
        if row["place"] not in PLACES or row["place"] != frame.place:
            told.append(f"place must be one of {', '.join(PLACES)}, the same in the whole frame {frame.name}")
        if row["text"] in frame.texts.values():
            told.append(f"the frame {frame.name} says the same for two groups")
        faults += [source.fault(each, line) for each in told]
        frame.texts[row["group"]] = row["text"]
    for frame in found.values():
        if missing := [group for group in groups if group not in frame.texts]:
            faults.append(source.fault(f"the frame {frame.name} has no text for {', '.join(missing)}"))
    if not any(frame.place == "aside" for frame in found.values()):
        faults.append(source.fault("at least one frame must be an aside: not every agent says goodbye"))
    refuse(faults)
    return tuple(found.values())


def add_cue(
    transcript: Transcript, agent: Agent, attribute: str, draw: Draw, *, cues: Sequence[Frame]
) -> Edit | NotApplicable:
    """The edit that adds this attribute's cue; `no_second_draw` where there is no other one for a placebo.

    Frame and place are drawn for all attributes alike, so that two arms differ in the group alone.
    """
    farewell = _farewell_turn(transcript.turns, agent)
    frame = drawn_frame([frame for frame in cues if frame.place != "farewell" or farewell is not None], draw)
    if frame is None:
        return NotApplicable("no_second_draw")
    text = as_spoken(frame.texts[attribute], transcript.turns)
    if frame.place == "farewell" and farewell is not None:
        return _at_the_end(farewell, transcript.turns[farewell].text, text)
    places = agent_turn_places(transcript.turns)
    places = [place for place in places if place <= len(transcript.turns) * _WORK] or places[:1]
    drawn = draw.for_attribute(_EVERY_ATTRIBUTE)
    place = drawn.pick(places, "place") if places else place_after_greeting(transcript.turns)
    return Insertion(turn=len(transcript.turns) if place is None else place, speaker="agent", after=text)


def drawn_frame(cues: Sequence[Frame], draw: Draw) -> Frame | None:
    """One of the frames, the same for all attributes; None where there is none left for a placebo."""
    shared = replace(draw.for_attribute(_EVERY_ATTRIBUTE), draw=0, attempt=0)
    return draw.share(sorted(cues, key=lambda frame: (shared.fraction(f"cue:{frame.name}"), frame.name)))


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
