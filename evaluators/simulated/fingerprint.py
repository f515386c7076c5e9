"""What identifies a conversation in all of its arms: the parts of it that no counterfactual touches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from perturbations.records.hashing import digest
from perturbations.records.transcript import Turn

ENOUGH_WORDS = 6
"""With fewer steady words the conversation is known by the number of words of each customer turn instead."""

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")


def fingerprint(turns: Sequence[Turn]) -> str:
    """An identity that is equal for all arms of a transcript, and different for most other transcripts.

    It rests on the customer's turns alone: style rows rewrite the agent, and identity rows change in a customer's
    turn only names, titles and pronouns, which are none of the steady words. Text with few steady words (another
    language, very short turns) falls back on lengths in words, which a name of another length would change.
    """
    said = [turn.text for turn in turns if turn.speaker == "customer"]
    steady = [_steady(text) for text in said]
    if sum(map(len, steady)) >= ENOUGH_WORDS:
        return digest("steady words", *(" ".join(words) for words in steady))
    return digest("lengths", *(len(text.split()) for text in said))


@lru_cache(maxsize=20_000)
def _steady(text: str) -> tuple[str, ...]:
    words = _WORD.findall(text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return tuple(word for word in words if word in steady_words() or word.isdigit())


@cache
def steady_words() -> frozenset[str]:
    """The closed list of words that count."""
    lines = files("evaluators").joinpath("simulated", "data", "steady_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in lines.splitlines() if not line.startswith("#") for word in line.split())
