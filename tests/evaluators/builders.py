"""Records for the evaluators' tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from evaluators.calling.judge_client import JudgeClient, make_judge
from evaluators.calling.retry import Backoff
from evaluators.judges.judge_config import JudgeConfig
from evaluators.questions.prompt import Prompt, fill, question_templates
from perturbations.records.transcript import Question, Turn
from perturbations.records.variant import Variant, VariantMessage

NOON = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
KEY = "sk-test-0123456789"
SECRET = "my card number is 4929"


def now() -> datetime:
    return NOON


def make_questions(*ids: str, **fields: Any) -> tuple[Question, ...]:
    return tuple(Question(question_id=name, text=f"Did the agent {name}?", **fields) for name in ids)


def make_message(*ids: str, **fields: Any) -> VariantMessage:
    variant: dict[str, Any] = {
        "transcript_id": "c-1",
        "row": "agent_gender",
        "attribute": "female",
        "status": "accepted",
        "turns": (Turn(speaker="agent", text="Hi, this is Maria"), Turn(speaker="customer", text=SECRET)),
        **fields.pop("variant", {}),
    }
    return VariantMessage(
        variant=Variant(**variant),
        transcript_hash="hash-1",
        questions=fields.pop("questions", make_questions(*(ids or ("greeting", "empathy")))),
        **fields,
    )


def auto_qa_prompt(questions: Sequence[Question], turns: Sequence[Turn], header: str | None) -> Prompt:
    """All questions about one arm in one call, the coaching note with it."""
    return fill(question_templates(), questions, turns, header)


def reply_text(*answers: tuple[str, str, object], note: object = None) -> str:
    """A good reply: (question_id, answer, confidence) each, and a coaching note."""
    coaching = {"positives": ["warm"], "positive_score": 70, "improvements": ["slow"], "improvement_score": 30}
    listed = [{"question_id": name, "answer": answer, "confidence": points} for name, answer, points in answers]
    return json.dumps({"answers": listed, "coaching_note": coaching if note is None else note})


GOOD = reply_text(("greeting", "yes", 90), ("empathy", "no", 60))


class Sleeps(list[float]):
    """A sleep that takes no time and keeps what was asked of it."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def make_client(url: str, sleep: Sleeps | None = None, *, key: str | None = KEY, **fields: Any) -> JudgeClient:
    config = JudgeConfig(**{"model": "judge-x", "base_url": f"{url}/v1", "timeout_seconds": 5.0, **fields})
    return replace(
        make_judge(config, key), backoff=Backoff(fraction=lambda: 0.5), sleep=sleep if sleep is not None else Sleeps()
    )


def verdicts(answers: Sequence[Any]) -> list[tuple[str, str | None, float | None]]:
    return [(answer.question_id, answer.answer, answer.confidence) for answer in answers]
