"""How many output tokens a call may take, where the configuration doesn't say."""

from __future__ import annotations

TOKENS_BASE = 1_000
"""Output tokens of a call with one question (arXiv 2602.14970, Table 8)."""

TOKENS_PER_FURTHER_QUESTION = 60

TOKENS_FOR_REASONING = 6_000
"""On top, for a model whose thinking counts as output."""


def output_budget(questions: int, *, reasons: bool) -> int:
    """The output tokens that a call with this many questions may take, where the configuration doesn't say."""
    thinking = TOKENS_FOR_REASONING if reasons else 0
    return TOKENS_BASE + TOKENS_PER_FURTHER_QUESTION * (questions - 1) + thinking
