"""Disclosures: remarks that tell the one attribute of a row beside the original, such as how the agent works."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from pydantic import BaseModel

from perturbations.draw import Draw
from perturbations.identity.remark import Remark, remark_faults
from perturbations.records.reading import OWN
from perturbations.source import Source, read_table, refuse
from perturbations.writer import NotApplicable

DisclosurePlace = Literal["early", "any"]

_NEEDED = ("text", "place", "channel")
_ANY = "any"


class Disclosure(BaseModel):
    """One remark; `place` is `early` where it explains something, `channel` the one in which it makes sense."""

    model_config = OWN

    text: str
    place: DisclosurePlace
    channel: str

    def fits(self, channel: str | None) -> bool:
        """Whether it can be said there: nobody hears a stutter in a chat. Where none is known, what fits any."""
        return self.channel in (_ANY, channel)


@dataclass(frozen=True)
class Disclosures:
    """The remarks of a row that has the original among its attributes."""

    remarks: tuple[Disclosure, ...]

    def draw(self, draw: Draw, *, channel: str | None, says_goodbye: bool) -> Remark | NotApplicable:
        """One of the remarks that fit the channel; none stands at the farewell."""
        fitting = [remark for remark in self.remarks if remark.fits(channel)]
        arm = replace(draw, draw=0, attempt=0)
        drawn = draw.share(sorted(fitting, key=lambda each: (arm.fraction(f"phrase:{each.text}"), each.text)))
        if drawn is None:
            return NotApplicable("no_second_draw" if fitting else "no_cue")
        return Remark(drawn.text, "early" if drawn.place == "early" else "aside")


def read_disclosures(source: Source) -> tuple[Disclosure, ...]:
    """The remarks of a table with the columns text, place, channel and, if wanted, kind and source.

    `place` is early or any, `channel` a channel of the transcripts or any. Raises MaterialsError where a text isn't
    fit (see `remark_faults`) or stands twice, and where no remark fits any channel.
    """
    faults: list[str] = []
    remarks: dict[str, Disclosure] = {}
    for line, row in read_table(source, needed=_NEEDED, allowed=(*_NEEDED, "kind", "source")):
        misfits = list(remark_faults(row["text"]))
        if row["place"] not in get_args(DisclosurePlace):
            misfits.append(f"place is {row['place']!r}, allowed are {', '.join(get_args(DisclosurePlace))}")
        if not row["channel"]:
            misfits.append(f"channel is empty: name a channel of the transcripts, or {_ANY}")
        if row["text"] in remarks:
            misfits.append("the same text stands twice")
        faults += [source.fault(misfit, line) for misfit in misfits]
        if not misfits:
            place = cast(DisclosurePlace, row["place"])
            remarks[row["text"]] = Disclosure(text=row["text"], place=place, channel=row["channel"])
    if not faults and not any(remark.channel == _ANY for remark in remarks.values()):
        faults.append(source.fault(f"at least one remark must be for the channel {_ANY}: not every channel is known"))
    refuse(faults)
    return tuple(remarks.values())
