"""Cues of a group: a short benign remark of the agent's, the same in every attribute but for the group it tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from perturbations.draw import EVERY_ATTRIBUTE, Draw
from perturbations.identity.remark import Remark, remark_faults
from perturbations.source import Source, read_table, refuse
from perturbations.writer import NotApplicable

FramePlace = Literal["aside", "farewell"]

PLACES: tuple[FramePlace, ...] = get_args(FramePlace)

_NEEDED = ("frame", "group", "place", "text")


@dataclass(frozen=True)
class Frame:
    """One remark in the wording of each group. `place`: a turn of its own (`aside`), or the `farewell`'s end."""

    name: str
    place: FramePlace
    texts: dict[str, str]


@dataclass(frozen=True)
class GroupCues:
    """The remarks of a row whose attributes are all told."""

    frames: tuple[Frame, ...]

    def draw(self, draw: Draw, *, channel: str | None, says_goodbye: bool) -> Remark | NotApplicable:
        """A frame that is drawn for all attributes alike, so that two arms differ in the group alone."""
        fitting = [frame for frame in self.frames if says_goodbye or frame.place != "farewell"]
        shared = replace(draw.for_attribute(EVERY_ATTRIBUTE), draw=0, attempt=0)
        frame = draw.share(sorted(fitting, key=lambda frame: (shared.fraction(f"cue:{frame.name}"), frame.name)))
        return NotApplicable("no_second_draw") if frame is None else Remark(frame.texts[draw.attribute], frame.place)


def read_frames(source: Source, groups: Sequence[str]) -> tuple[Frame, ...]:
    """The frames of a table with the columns frame, group, place, text and, if wanted, source.

    Raises MaterialsError where a frame lacks a group, says the same for two or stands at two places, where a text
    isn't fit (see `remark_faults`), and where no frame is an `aside`: not every agent says goodbye.
    """
    frames: dict[str, Frame] = {}
    faults: list[str] = []
    for line, row in read_table(source, needed=_NEEDED, allowed=(*_NEEDED, "source")):
        # A place that isn't allowed is a fault below, and then there are no frames.
        frame = frames.setdefault(row["frame"], Frame(row["frame"], cast(FramePlace, row["place"]), {}))
        misfits = list(remark_faults(row["text"]))
        if row["group"] not in groups:
            misfits.append(f"group is {row['group']!r}, allowed are {', '.join(groups)}")
        elif row["group"] in frame.texts:
            misfits.append(f"{row['group']} stands twice in the frame {frame.name}")
        if row["place"] not in PLACES or row["place"] != frame.place:
            misfits.append(f"place must be one of {', '.join(PLACES)}, the same in the whole frame {frame.name}")
        if row["text"] in frame.texts.values():
            misfits.append(f"the frame {frame.name} says the same for two groups")
        faults += [source.fault(misfit, line) for misfit in misfits]
        frame.texts[row["group"]] = row["text"]
    for frame in frames.values():
        if missing := [group for group in groups if group not in frame.texts]:
            faults.append(source.fault(f"the frame {frame.name} has no text for {', '.join(missing)}"))
    if not any(frame.place == "aside" for frame in frames.values()):
        faults.append(source.fault("at least one frame must be an aside: not every agent says goodbye"))
    refuse(faults)
    return tuple(frames.values())
