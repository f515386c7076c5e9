"""Validation by an LLM: whether an edited transcript still means the same (semantic equivalence, section 2.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluators.calling.json_call import JsonCall, JsonCallError, ask_for_object
from evaluators.calling.judge_client import JudgeClient
from evaluators.calling.tokens import TOKENS_BASE, TOKENS_FOR_REASONING
from evaluators.questions.prompt import fill_template, prompt_text
from evaluators.replies.parse import read_verdict
from evaluators.rewriting.turn_data import turns_as_data
from perturbations.draw import Draw
from perturbations.records.edit import apply_edits
from perturbations.records.hashing import digest
from perturbations.records.transcript import Transcript
from perturbations.rows import Row
from perturbations.writer import BadDraw, Change

NOT_EQUIVALENT = "not_equivalent"
"""The reason where the LLM says that the meaning changed."""

VALIDATE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "equivalent": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["reason", "equivalent"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class LlmValidator:
    """Asks an LLM whether everything that a row may not change still means the same."""

    judge: JudgeClient
    now: Callable[[], datetime]

    @property
    def name(self) -> str:
        """How the validator is recorded in a variant."""
        return f"llm:{self.judge.config.model}"

    async def check(self, transcript: Transcript, row: Row, draw: Draw, change: Change) -> BadDraw | None:
        """None where the change keeps the meaning.

        A bad draw: `not_equivalent`, or `validation_` and the reason why there is no verdict. Raises ValueError for a
        row that is by rules alone.
        """
        if row.may_change is None:
            raise ValueError(f"{row.name} is checked by rules alone")
        values = {
            "allowed": row.may_change,
            "transcript": turns_as_data(transcript.turns),
            "edited": turns_as_data(apply_edits(transcript.turns, change.edits)),
        }
        user = fill_template("validate_user", values)
        call = JsonCall(
            system=prompt_text("validate_system").strip(),
            user=user,
            schema=VALIDATE_SCHEMA,
            key=digest("validate", self.judge.system_id, user, transcript.content_hash, row.name, *draw.key()),
            max_output_tokens=TOKENS_BASE + (TOKENS_FOR_REASONING if self.judge.card.reasons else 0),
        )
        try:
            reply = await ask_for_object(call, self.judge, now=self.now)
        except JsonCallError as error:
            return BadDraw(f"validation_{error.reason}", again=error.again)
        verdict = read_verdict(reply.get("equivalent"), allow_na=False)
        if verdict is None:
            return BadDraw("validation_unparsed")
        return BadDraw(NOT_EQUIVALENT) if verdict == "no" else None
