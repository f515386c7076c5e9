"""One arm in, one evaluation out, whatever happens to the judge: a failure is a value, with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from evaluators.calling.call_split import Part, merged, parts_of, prompt_of
from evaluators.calling.judge_calls import Asked
from evaluators.calling.judge_client import JudgeClient as JudgeClient
from evaluators.calling.judge_client import make_judge as make_judge
from evaluators.calling.tokens import output_budget
from evaluators.evaluation import Evaluation, Judge, evaluation_id
from evaluators.provider import LADDER, JudgeRequest
from evaluators.replies.reply_schema import reply_schema
from perturbations.records.variant import VariantMessage
from perturbations.rows import ORIGINAL, ROBUSTNESS


async def evaluate(message: VariantMessage, judge: JudgeClient, *, now: Callable[[], datetime]) -> Evaluation:
    """What the judge says about this arm.

    Never raises but for being cancelled: a judge that can't be asked gives outcome `error` with the reason in one
    word. `latency_seconds` is how long the last request took, without waits; `attempts` counts the requests sent.
    """
    draft = _draft(message, judge)
    if not message.variant.turns:
        return _with(draft, outcome="skipped", reason="no_variant", evaluated_at=now())
    if not message.questions:
        return _with(draft, outcome="skipped", reason="no_questions", evaluated_at=now())
    parts = parts_of(message.questions, judge.config)
    if not judge.gate.budget.take(now(), len(parts)):
        return _with(draft, outcome="skipped", reason="budget", evaluated_at=now())
    asked = Asked(judge, now)
    key = draft.evaluation_id or ""
    replies = await asyncio.gather(*(asked.reply(part, _request(message, part, judge, key)) for part in parts))
    reply = merged(parts, replies)
    return asked.noted(
        _with(
            draft,
            outcome=reply.outcome,
            reason=reply.reason,
            answers=reply.answers,
            positive_score=reply.positive_score,
            improvement_score=reply.improvement_score,
            notes=reply.notes,
            notes_outcome=reply.notes_outcome,
            evaluated_at=now(),
        )
    )


def _request(message: VariantMessage, part: Part, judge: JudgeClient, key: str) -> JudgeRequest:
    variant, config, card = message.variant, judge.config, judge.card
    prompt = prompt_of(part, config, variant.turns, variant.header)
    parameters = {"temperature": config.temperature, "top_p": config.top_p, "effort": config.effort}
    budget = config.max_output_tokens or output_budget(max(1, len(part.questions)), reasons=card.reasons)
    return JudgeRequest(
        system=prompt.system,
        user=prompt.user,
        schema=reply_schema(part.questions, with_note=part.with_note, exact=card.exact_schema),
        idempotency_key=f"{key}:{part.name}" if part.name else key,
        max_output_tokens=budget,
        parameters={name: value for name, value in parameters.items() if value is not None},
        mode=max(config.output_mode, card.mode, key=LADDER.index),
        questions=part.questions,
        turns=variant.turns,
        header=variant.header,
        header_position=judge.config.header_position,
    )


def _draft(message: VariantMessage, judge: JudgeClient) -> Evaluation:
    """All that is known before the judge is asked, with the outcome of an evaluation that never came about."""
    variant = message.variant
    original = variant.status == "original"
    row, attribute = (ROBUSTNESS, ORIGINAL) if original else (variant.row, variant.attribute)
    draw = 0 if original else variant.draw
    system_id = judge.system_id
    return Evaluation(
        evaluation_id=evaluation_id(
            variant.transcript_id, message.transcript_hash, row, attribute, draw, message.repeat, system_id
        ),
        transcript_id=variant.transcript_id,
        transcript_hash=message.transcript_hash,
        received_at=message.received_at,
        row=row,
        attribute=attribute,
        draw=draw,
        repeat=message.repeat,
        system_id=system_id,
        judge=Judge(provider=judge.config.provider, model=judge.config.model),
        # The model that would have served is unknown; no pair is ever made of such an evaluation.
        epoch="",
        occurred_at=message.occurred_at,
        outcome="error",
        domain=message.domain,
        channel=message.channel,
        language=message.language,
        labels=message.labels,
    )


def _with(evaluation: Evaluation, **update: object) -> Evaluation:
    return evaluation.model_copy(update=update)
