"""`agent_disability`: one neutral turn in which the agent mentions assistive technology or a trait of speech."""

from __future__ import annotations

from dataclasses import replace

from perturbations.data_file import read_rows
from perturbations.draw import Draw
from perturbations.edit import Insertion
from perturbations.language import speaks_english
from perturbations.places import agent_turn_places, place_after_greeting
from perturbations.spoken_form import as_spoken
from perturbations.transcript import Transcript
from perturbations.writer import Change, NotApplicable

_EARLY_PLACES = 3
_WORK = 0.7


def write_agent_disability(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
    """The transcript with one turn of the agent added, drawn from disability.csv, the placebo's another one.

    The turn stands where no question waits for its answer, a disclosure early in the call; where every turn asks,
    after the greeting; never first. Not applicable for `language` and where no agent speaks (`no_agent_turn`).
    """
    if not speaks_english(transcript.language):
        return NotApplicable("language")
    turns = transcript.turns
    if not any(turn.speaker == "agent" for turn in turns):
        return NotApplicable("no_agent_turn")
    phrase = _drawn_phrase(transcript, draw)
    places = agent_turn_places(turns)
    if phrase["place"] == "early":
        places = places[:_EARLY_PLACES]
    # What the agent works with is said while there is work to do, not after the goodbye.
    places = [place for place in places if place <= len(turns) * _WORK] or places[:1]
    fallback = place_after_greeting(turns) or len(turns)
    place = draw.pick(places, "place") if places else fallback
    text = as_spoken(phrase["text"], turns)
    return Change(edits=(Insertion(turn=place, speaker="agent", after=text),))


def _drawn_phrase(transcript: Transcript, draw: Draw) -> dict[str, str]:
    """The arm's phrase and its retries follow each other in a drawn order; the placebo goes on behind them."""
    arm = replace(draw, draw=0, attempt=0)
    # Nobody hears a stutter in a chat; where the channel isn't known the phrases are used that fit both.
    rows = [row for row in read_rows("disability.csv") if row["channel"] in ("any", transcript.channel)]
    order = sorted(rows, key=lambda row: (arm.fraction(f"phrase:{row['text']}"), row["text"]))
    return order[(draw.attempt + 4 * draw.draw) % len(order)]
