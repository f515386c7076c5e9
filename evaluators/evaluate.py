"""One arm in, one evaluation out, whatever happens to the judge: a failure is a value, with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from evaluators.calling.call_split import part_request, parts_of
from evaluators.calling.call_tally import CallTally
from evaluators.calling.judge_calls import JudgeCalls
from evaluators.calling.judge_client import JudgeClient
from evaluators.calling.reply_merge import merge_replies
from evaluators.evaluation import Evaluation, Judge, evaluation_id
from evaluators.judges.judge_config import epoch_of
from evaluators.replies.parse import ParsedReply
from perturbations.records.variant import Variant, VariantMessage
from perturbations.rows import ORIGINAL, ROBUSTNESS


async def evaluate(message: VariantMessage, judge: JudgeClient, *, now: Callable[[], datetime]) -> Evaluation:
    """What the judge says about this arm.

    Never raises but for being cancelled: a judge that can't be asked gives outcome `error` with the reason in one
    word. `latency_seconds` is how long the last request took, without waits; `attempts` counts the requests sent.
    """
    key = _id_of(message, judge)
    parts = parts_of(message.questions, judge.config)
    calls = JudgeCalls(judge, now)
    if not message.variant.turns:
        reply = ParsedReply("skipped", "no_variant")
    elif not message.questions:
        reply = ParsedReply("skipped", "no_questions")
    elif not judge.limits.budget.take(now(), len(parts)):
        reply = ParsedReply("skipped", "budget")
    else:
        asked = (calls.reply(part, part_request(part, message, judge, key)) for part in parts)
        reply = merge_replies(parts, await asyncio.gather(*asked))
        judge.spend(calls.tally.usage)
    return _evaluation(message, judge, key, reply, calls.tally, evaluated_at=now())


def _id_of(message: VariantMessage, judge: JudgeClient) -> str:
    variant = message.variant
    row, attribute, draw = _place(variant)
    return evaluation_id(
        variant.transcript_id, message.transcript_hash, row, attribute, draw, message.repeat, judge.system_id
    )


def _place(variant: Variant) -> tuple[str, str, int]:
    """Row, attribute and draw; the original is the row `robustness`, whichever row it was made for."""
    if variant.status == "original":
        return ROBUSTNESS, ORIGINAL, 0
    return variant.row, variant.attribute, variant.draw


def _evaluation(
    message: VariantMessage,
    judge: JudgeClient,
    key: str,
    reply: ParsedReply,
    tally: CallTally,
    *,
    evaluated_at: datetime,
) -> Evaluation:
    """The record of what was said about this arm, and of what it took."""
    variant, system_id = message.variant, judge.system_id
    row, attribute, draw = _place(variant)
    served_model, parameters = tally.served_model, tally.parameters
    return Evaluation(
        evaluation_id=key,
        transcript_id=variant.transcript_id,
        transcript_hash=message.transcript_hash,
        received_at=message.received_at,
        row=row,
        attribute=attribute,
        draw=draw,
        repeat=message.repeat,
        system_id=system_id,
        judge=Judge(provider=judge.config.provider, model=judge.config.model, served_model=served_model),
        # Without an answer the model that would have served is unknown; no pair is ever made of such an evaluation.
        epoch=epoch_of(system_id, served_model, parameters) if tally.answered else "",
        occurred_at=message.occurred_at,
        evaluated_at=evaluated_at,
        outcome=reply.outcome,
        reason=reply.reason,
        answers=reply.answers,
        positive_score=reply.positive_score,
        improvement_score=reply.improvement_score,
        notes=reply.notes,
        notes_outcome=reply.notes_outcome,
        domain=message.domain,
        channel=message.channel,
        language=message.language,
        labels=message.labels,
        parameters=parameters,
        request_ids=tally.request_ids,
        usage=tally.usage,
        latency_seconds=tally.latency_seconds,
        attempts=None if reply.outcome == "skipped" else tally.requests,
    )
