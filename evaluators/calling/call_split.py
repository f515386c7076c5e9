"""The calls that an evaluation takes: all questions in one or some at a time, the coaching note with or apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.evaluation import Answer, Notes, Outcome
from evaluators.judges.judge_config import JudgeConfig
from evaluators.questions.prompt import Prompt, Wording, ask_wording, fill, note_wording
from evaluators.replies.parse import ParsedReply
from perturbations.records.transcript import Question, Turn


@dataclass(frozen=True)
class Part:
    """One call. `name` tells it apart from the evaluation's others, empty where it is the only one."""

    name: str
    questions: tuple[Question, ...]
    with_note: bool


def parts_of(questions: Sequence[Question], config: JudgeConfig) -> tuple[Part, ...]:
    """The calls that the configuration wants these questions put in."""
    size = config.questions_per_call
    if size is None:
        chunks = [tuple(questions)]
        note = config.coaching_note or "with_answers"
    else:
        chunks = [tuple(questions[start : start + size]) for start in range(0, len(questions), size)]
        note = config.coaching_note or "own_call"
    parts = [Part(str(number), chunk, note == "with_answers") for number, chunk in enumerate(chunks)]
    if note == "own_call":
        parts.append(Part("note", (), with_note=True))
    return (Part("", parts[0].questions, parts[0].with_note),) if len(parts) == 1 else tuple(parts)


def prompt_of(part: Part, config: JudgeConfig, turns: Sequence[Turn], header: str | None) -> Prompt:
    """The two messages of a call, in our words or in the team's own."""
    if part.questions:
        ours = ask_wording(with_note=part.with_note, fairness=config.fairness_prompt)
        wording = Wording(config.system_prompt or ours.system, config.user_prompt or ours.user)
    else:
        wording = note_wording(fairness=config.fairness_prompt)
    return fill(wording, part.questions, turns, header, header_position=config.header_position)


def failed_reply(part: Part, reason: str) -> ParsedReply:
    """What a call comes to that gave no completion."""
    return ParsedReply("error", reason, notes_outcome="error" if part.with_note else None)


def merged(parts: Sequence[Part], replies: Sequence[ParsedReply]) -> ParsedReply:
    """The evaluation's reply from its calls' replies: good where any answer is.

    Where none is, the outcome and the reason are those that most calls with questions have, the first of them where
    several are as frequent.
    """
    answers = tuple(answer for part, reply in zip(parts, replies, strict=True) for answer in _answers(part, reply))
    note = next((reply for part, reply in zip(parts, replies, strict=True) if part.with_note), None)
    notes, notes_outcome = _note(note)
    asked = [(reply.outcome, reply.reason) for part, reply in zip(parts, replies, strict=True) if part.questions]
    outcome: Outcome = "ok"
    reason: str | None = None
    if not any(answer.outcome == "ok" for answer in answers):
        (outcome, reason), _ = Counter(asked).most_common(1)[0]
    return ParsedReply(
        outcome=outcome,
        reason=reason,
        answers=answers if outcome == "ok" or (len(parts) == 1 and replies[0].answers) else (),
        positive_score=note.positive_score if note else None,
        improvement_score=note.improvement_score if note else None,
        notes=notes,
        notes_outcome=notes_outcome,
    )


def _answers(part: Part, reply: ParsedReply) -> tuple[Answer, ...]:
    if reply.answers:
        return reply.answers
    return tuple(
        Answer(
            question_id=question.question_id,
            answer=None,
            outcome=reply.outcome,
            construct_relevant=question.construct_relevant,
            human_answer=question.human_answer,
            production_answer=question.production_answer,
        )
        for question in part.questions
    )


def _note(reply: ParsedReply | None) -> tuple[Notes | None, Outcome | None]:
    if reply is None:
        return None, None
    if reply.notes is not None or reply.outcome in ("ok", "unparsed"):
        return reply.notes, reply.notes_outcome
    return None, reply.outcome
