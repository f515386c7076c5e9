"""The calls that an evaluation takes: all questions in one or some at a time, the coaching note with or apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.calling.judge_client import JudgeClient
from evaluators.calling.judge_request import judge_request
from evaluators.calling.tokens import output_budget
from evaluators.judges.judge_config import JudgeConfig
from evaluators.provider import JudgeRequest
from evaluators.questions.prompt import Prompt, PromptTemplates, fill, note_templates, question_templates
from evaluators.replies.reply_schema import reply_schema
from perturbations.records.transcript import Question, Turn
from perturbations.records.variant import VariantMessage


@dataclass(frozen=True)
class CallPart:
    """One call. `name` tells it apart from the evaluation's others, empty where it is the only one."""

    name: str
    questions: tuple[Question, ...]
    with_note: bool


def parts_of(questions: Sequence[Question], config: JudgeConfig) -> tuple[CallPart, ...]:
    """The calls that the configuration wants these questions put in."""
    size = config.questions_per_call
    if size is None:
        chunks = [tuple(questions)]
        note = config.coaching_note or "with_answers"
    else:
        chunks = [tuple(questions[start : start + size]) for start in range(0, len(questions), size)]
        note = config.coaching_note or "own_call"
    parts = [CallPart(str(number), chunk, note == "with_answers") for number, chunk in enumerate(chunks)]
    if note == "own_call":
        parts.append(CallPart("note", (), with_note=True))
    return (CallPart("", parts[0].questions, parts[0].with_note),) if len(parts) == 1 else tuple(parts)


def part_request(part: CallPart, message: VariantMessage, judge: JudgeClient, evaluation_id: str) -> JudgeRequest:
    """The request that puts one part to the judge, under a key that is the same whenever the arm is asked about."""
    variant, config, card = message.variant, judge.config, judge.card
    prompt = prompt_of(part, config, variant.turns, variant.header)
    budget = config.max_output_tokens or output_budget(max(1, len(part.questions)), reasons=card.reasons)
    return judge_request(
        judge,
        prompt,
        schema=reply_schema(part.questions, with_note=part.with_note, exact=card.exact_schema),
        idempotency_key=f"{evaluation_id}:{part.name}" if part.name else evaluation_id,
        max_output_tokens=budget,
        questions=part.questions,
        turns=variant.turns,
        header=variant.header,
    )


def prompt_of(part: CallPart, config: JudgeConfig, turns: Sequence[Turn], header: str | None) -> Prompt:
    """The two messages of a call, in our words or in the team's own."""
    if part.questions:
        ours = question_templates(with_note=part.with_note, fairness=config.fairness_prompt)
        templates = PromptTemplates(config.system_prompt or ours.system, config.user_prompt or ours.user)
    else:
        templates = note_templates(fairness=config.fairness_prompt)
    return fill(templates, part.questions, turns, header, header_position=config.header_position)
