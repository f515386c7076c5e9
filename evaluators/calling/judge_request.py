"""The request of one call, from what is asked and what the judge's configuration says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluators.calling.judge_client import JudgeClient
from evaluators.provider import LADDER, JudgeRequest
from evaluators.questions.prompt import Prompt
from perturbations.records.transcript import Question, Turn


def judge_request(
    judge: JudgeClient,
    prompt: Prompt,
    *,
    schema: Mapping[str, Any],
    idempotency_key: str,
    max_output_tokens: int,
    questions: Sequence[Question] = (),
    turns: Sequence[Turn] = (),
    header: str | None = None,
) -> JudgeRequest:
    """The request for this judge: its parameters that are set, and the highest rung that it may try and takes.

    `questions`, `turns` and `header` are what the prompt was made of, where it is about an arm.
    """
    config = judge.config
    parameters = {"temperature": config.temperature, "top_p": config.top_p, "effort": config.effort}
    return JudgeRequest(
        system=prompt.system,
        user=prompt.user,
        schema=schema,
        idempotency_key=idempotency_key,
        max_output_tokens=max_output_tokens,
        parameters={name: value for name, value in parameters.items() if value is not None},
        mode=max(config.output_mode, judge.card.mode, key=LADDER.index),
        questions=tuple(questions),
        turns=tuple(turns),
        header=header,
        header_position=config.header_position,
    )
