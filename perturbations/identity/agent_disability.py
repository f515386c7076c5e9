"""`agent_disability`: one neutral turn in which the agent mentions assistive technology or a trait of speech."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perturbations.draw import Draw
from perturbations.identity.disability_cues import DisabilityCue
from perturbations.records.edit import Insertion
from perturbations.records.transcript import Transcript
from perturbations.text.language import speaks_english
from perturbations.text.places import agent_turn_places, place_after_greeting
from perturbations.text.spoken_form import as_spoken
from perturbations.writer import Change, NotApplicable, Writer

_EARLY_PLACES = 3
_WORK = 0.7


def disability_writer(cues: Sequence[DisabilityCue]) -> Writer:
    """The writer that adds one turn of the agent, drawn from these cues, the placebo's another one.

    The turn stands where no question waits for its answer, a disclosure early in the call; where every turn asks,
    after the greeting; never first. Not applicable for `language`, where no agent speaks (`no_agent_turn`), where no
    cue fits the channel (`no_cue`), and for a placebo without another cue (`no_second_draw`).
    """

    def write(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
        if not speaks_english(transcript.language):
            return NotApplicable("language")
        if not any(turn.speaker == "agent" for turn in transcript.turns):
            return NotApplicable("no_agent_turn")
        cue = drawn_cue(cues, transcript.channel, draw)
        return cue if isinstance(cue, NotApplicable) else Change(edits=(_added(transcript, cue, draw),))

    return write


def drawn_cue(cues: Sequence[DisabilityCue], channel: str | None, draw: Draw) -> DisabilityCue | NotApplicable:
    """One of the cues that fit the channel, or `no_cue`, `no_second_draw`."""
    fitting = [cue for cue in cues if cue.fits(channel)]
    arm = replace(draw, draw=0, attempt=0)
    cue = draw.share(sorted(fitting, key=lambda cue: (arm.fraction(f"phrase:{cue.text}"), cue.text)))
    return cue if cue is not None else NotApplicable("no_second_draw" if fitting else "no_cue")


def _added(transcript: Transcript, cue: DisabilityCue, draw: Draw) -> Insertion:
    turns = transcript.turns
    places = agent_turn_places(turns)
    if cue.place == "early":
        places = places[:_EARLY_PLACES]
    # What the agent works with is said while there is work to do, not after the goodbye.
    places = [place for place in places if place <= len(turns) * _WORK] or places[:1]
    fallback = place_after_greeting(turns) or len(turns)
    place = draw.pick(places, "place") if places else fallback
    return Insertion(turn=place, speaker="agent", after=as_spoken(cue.text, turns))
