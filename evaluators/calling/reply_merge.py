"""The evaluation's one reply from the replies of its calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evaluators.calling.call_split import CallPart
from evaluators.evaluation import Answer, Notes, Outcome
from evaluators.replies.parse import ParsedReply


def merge_replies(parts: Sequence[CallPart], replies: Sequence[ParsedReply]) -> ParsedReply:
    """What the calls say together: good where any answer is.

    Where none is, the outcome and the reason are those that most calls with questions have, the first of them where
    several are as frequent.
    """
    pairs = list(zip(parts, replies, strict=True))
    answers = tuple(answer for part, reply in pairs for answer in _answers(part, reply))
    note = next((reply for part, reply in pairs if part.with_note), None)
    notes, notes_outcome = _note(note)
    outcome: Outcome = "ok"
    reason: str | None = None
    if not any(answer.outcome == "ok" for answer in answers):
        failures = Counter((reply.outcome, reply.reason) for part, reply in pairs if part.questions)
        (outcome, reason), _ = failures.most_common(1)[0]
    return ParsedReply(
        outcome=outcome,
        reason=reason,
        # Answers that were read and are all bad stay beside the outcome where there was but one call.
        answers=answers if outcome == "ok" or (len(parts) == 1 and replies[0].answers) else (),
        positive_score=note.positive_score if note else None,
        improvement_score=note.improvement_score if note else None,
        notes=notes,
        notes_outcome=notes_outcome,
    )


def _answers(part: CallPart, reply: ParsedReply) -> tuple[Answer, ...]:
    """The call's answers; where it has none, one for each of its questions with the call's outcome."""
    return reply.answers or tuple(Answer.to(question, outcome=reply.outcome) for question in part.questions)


def _note(reply: ParsedReply | None) -> tuple[Notes | None, Outcome | None]:
    if reply is None:
        return None, None
    if reply.notes is not None or reply.outcome in ("ok", "unparsed"):
        return reply.notes, reply.notes_outcome
    return None, reply.outcome
