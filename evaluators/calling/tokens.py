"""Tokens: how many an answer may take, what several calls took together, and whether the input arrived whole."""

from __future__ import annotations

from evaluators.evaluation import Usage
from evaluators.provider import Completion

TOKENS_BASE = 1_000
"""Output tokens of a call with one question (arXiv 2602.14970, Table 8)."""

TOKENS_PER_FURTHER_QUESTION = 60

TOKENS_FOR_REASONING = 6_000
"""On top, for a model whose thinking counts as output."""

MOST_CHARACTERS_PER_TOKEN = 12
"""More than this no tokenizer packs into one token of running text: an input counted shorter was cut."""

CHECKED_FROM_CHARACTERS = 2_000


def output_budget(questions: int, *, reasons: bool) -> int:
    """The output tokens that a call with this many questions may take, where the configuration doesn't say."""
    thinking = TOKENS_FOR_REASONING if reasons else 0
    return TOKENS_BASE + TOKENS_PER_FURTHER_QUESTION * (questions - 1) + thinking


def input_was_cut(completion: Completion) -> bool:
    """Whether the provider counted fewer input tokens than the text sent can have.

    Some endpoints cut a long prompt silently: the judge then never saw the start of the transcript, and an arm looks
    fair because its change was cut away.
    """
    counted, sent = completion.usage.input_tokens, completion.characters_sent
    return counted is not None and sent > CHECKED_FROM_CHARACTERS and counted * MOST_CHARACTERS_PER_TOKEN < sent


def together(first: Usage, second: Usage) -> Usage:
    """What two calls took; a figure that either doesn't know is unknown."""
    return Usage(
        input_tokens=_sum(first.input_tokens, second.input_tokens),
        cached_tokens=_sum(first.cached_tokens, second.cached_tokens),
        output_tokens=_sum(first.output_tokens, second.output_tokens),
        reasoning_tokens=_sum(first.reasoning_tokens, second.reasoning_tokens),
    )


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
