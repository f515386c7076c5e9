"""Remarks that tell a disability: what the agent works with, or how the agent speaks."""

from __future__ import annotations

from typing import Literal, cast, get_args

from pydantic import BaseModel

from perturbations.identity.remark import remark_faults
from perturbations.records.reading import OWN
from perturbations.source import Source, read_table, refuse

Place = Literal["early", "any"]

_NEEDED = ("text", "place", "channel")
_ANY = "any"


class DisabilityCue(BaseModel):
    """One remark; `place` is `early` where it discloses something, `channel` the one in which it makes sense."""

    model_config = OWN

    text: str
    place: Place
    channel: str

    def fits(self, channel: str | None) -> bool:
        """Whether it can be said there: nobody hears a stutter in a chat. Where none is known, what fits any."""
        return self.channel in (_ANY, channel)


def read_disability_cues(source: Source) -> tuple[DisabilityCue, ...]:
    """The remarks of a table with the columns text, place, channel and, if wanted, kind and source.

    `place` is early or any, `channel` a channel of the transcripts or any. Raises MaterialsError where a text isn't
    fit (see `remark_faults`) or stands twice, and where no remark fits any channel.
    """
    faults: list[str] = []
    found: dict[str, DisabilityCue] = {}
    for line, row in read_table(source, needed=_NEEDED, allowed=(*_NEEDED, "kind", "source")):
        told = list(remark_faults(row["text"]))
        if row["place"] not in get_args(Place):
            told.append(f"place is {row['place']!r}, allowed are {', '.join(get_args(Place))}")
        if not row["channel"]:
            told.append(f"channel is empty: name a channel of the transcripts, or {_ANY}")
        if row["text"] in found:
            told.append("the same text stands twice")
        faults += [source.fault(each, line) for each in told]
        if not told:
            place = cast(Place, row["place"])
            found[row["text"]] = DisabilityCue(text=row["text"], place=place, channel=row["channel"])
    if not faults and not any(cue.channel == _ANY for cue in found.values()):
        faults.append(source.fault(f"at least one remark must be for the channel {_ANY}: not every channel is known"))
    refuse(faults)
    return tuple(found.values())
