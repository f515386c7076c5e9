"""Phrases that rows insert into agent turns: which of them stands in a text, however it is written there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from evaluators.simulated.cue_spec import AgentPhrase
from perturbations.data_file import read_rows

PRESENT = "present"

_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")


@cache
def phrases_of(cue: AgentPhrase) -> dict[str, str]:
    """The state that each phrase of the cue shows: the `group` of its line in the file, else PRESENT.

    Raises FileNotFoundError where there is no such file.
    """
    if cue.file is None:
        return dict.fromkeys(cue.phrases, PRESENT)
    return {row["text"]: row.get("group") or PRESENT for row in read_rows(cue.file)}


@lru_cache(maxsize=50_000)
def phrase_state(cue: AgentPhrase, text: str) -> str | None:
    """The state of the phrase that stands in this text, or None."""
    phrase = _pattern_of(cue).search(text)
    return None if phrase is None else _states(cue)[_normal(phrase[0])]


def any_phrase(cues: Iterable[AgentPhrase]) -> re.Pattern[str] | None:
    """A pattern for every phrase of these cues, the longest first; None where there is none.

    Between words any marks may stand, and letters are of any case: phrases are written as the agent's turns are.
    """
    phrases = sorted({phrase for cue in cues for phrase in phrases_of(cue)}, key=len, reverse=True)
    if not phrases:
        return None
    return re.compile("|".join(rf"(?<!\w){_flexible(phrase)}(?!\w)" for phrase in phrases), re.IGNORECASE)


@cache
def _pattern_of(cue: AgentPhrase) -> re.Pattern[str]:
    pattern = any_phrase([cue])
    return re.compile(r"(?!)") if pattern is None else pattern


@cache
def _states(cue: AgentPhrase) -> dict[str, str]:
    return {_normal(phrase): state for phrase, state in phrases_of(cue).items()}


def _flexible(phrase: str) -> str:
    return r"\W+".join(re.escape(word).replace("'", "['\u2019]") for word in _normal(phrase).split())


def _normal(text: str) -> str:
    return " ".join(_WORD.findall(text.replace("\u2019", "'").casefold()))
