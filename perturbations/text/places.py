"""Natural places for a turn that the agent adds: between a question and its answer none is put."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perturbations.records.transcript import Turn

_AUXILIARIES = "can|could|may|would|will|do|does|did|is|are|was|were|have|has|should|shall"
_ASKING = re.compile(
    # "What I see is ..." and "what you can see" ask nothing.
    r"\b(?:what|what's|when|where|who|who's|which|how|why|whose)\b(?! (?:i|you) (?:see|do|can see)\b)"
    rf"|\b(?:{_AUXILIARIES}) (?:i|you|we|that|this|there|it|your|the)\b|\banything else\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\bplease\W*$|\b(?:tell|give|send|show|let) (?:me|us)\b|\b(?:need|have) (?:your|you to)\b", re.IGNORECASE
)
_GREETING = re.compile(
    r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening)|welcome|my name(?:'s| is)|this is|speaking)\b"
    r"|\bthanks? (?:you )?(?:so much )?for (?:calling|contacting|choosing)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]\s+")
_LAST_WORDS = 14
"""How many words of speech without marks are looked at for a question: about one sentence."""


def is_question(text: str) -> bool:
    """Whether a turn ends by asking for something: its last sentence, or where speech has no marks its last words."""
    stripped = text.rstrip(" \t\n\"')")
    last = _SENTENCE_END.split(stripped)[-1]
    if stripped.endswith("?") or _REQUEST.search(last):
        return True
    if stripped.endswith((".", "!")):
        return False
    return _ASKING.search(" ".join(last.split()[-_LAST_WORDS:])) is not None


def is_greeting(text: str) -> bool:
    """Whether a turn greets or introduces its speaker."""
    return _GREETING.search(text) is not None


def agent_turn_places(turns: Sequence[Turn]) -> list[int]:
    """Before which turns an agent's turn can be added, in order; the number of turns is the end.

    Never before the first turn, nor between a question and what follows it. It stands next to a turn of the agent,
    who has spoken before.
    """
    places: list[int] = []
    spoken = False
    for place in range(1, len(turns) + 1):
        before = turns[place - 1]
        after = turns[place] if place < len(turns) else None
        spoken = spoken or before.speaker == "agent"
        beside = before.speaker == "agent" or (after is not None and after.speaker == "agent")
        if spoken and beside and not is_question(before.text):
            places.append(place)
    return places


def place_after_greeting(turns: Sequence[Turn]) -> int | None:
    """The place right after the agent's first turn that greets, None where none greets among the first ones."""
    for index, turn in enumerate(turns[:6]):
        if turn.speaker == "agent" and is_greeting(turn.text):
            return index + 1
    return None
