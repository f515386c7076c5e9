"""The turns of a transcript as an LLM gets them to edit, and how many tokens it takes to give them back."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evaluators.calling.tokens import TOKENS_BASE, TOKENS_FOR_REASONING
from perturbations.records.transcript import Turn

_CHARACTERS_PER_TOKEN = 3
"""Cautiously: fewer than any tokenizer packs into a token of running text."""

_CHARACTERS_AROUND = 40
"""What stands around a turn's text in the reply."""


def turns_as_data(turns: Sequence[Turn]) -> str:
    """The turns as JSON, numbered, one a line, so that texts come back as they went; no text can end the block."""
    lines = (
        json.dumps({"turn": number, "speaker": turn.speaker, "text": turn.text}, ensure_ascii=False)
        for number, turn in enumerate(turns)
    )
    return "[" + ",\n".join(lines).replace("</", "<\\/") + "]"


def rewriting_budget(turns: Sequence[Turn], *, reasons: bool) -> int:
    """The output tokens for every turn written anew."""
    characters = sum(len(turn.text) + _CHARACTERS_AROUND for turn in turns)
    return TOKENS_BASE + characters // _CHARACTERS_PER_TOKEN + (TOKENS_FOR_REASONING if reasons else 0)
