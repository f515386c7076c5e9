"""Rewriting by an LLM: a writer as the rules are one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from evaluators.calling.json_call import JsonCall, JsonCallError, ask_for_object
from evaluators.calling.judge_client import JudgeClient
from evaluators.questions.prompt import fill_template, prompt_text
from evaluators.rewriting.rewrite_reply import REWRITE_SCHEMA, ReplyFault, read_rewriting
from evaluators.rewriting.rewrite_task import rewrite_task, wording_number
from evaluators.rewriting.turn_data import rewriting_budget, turns_as_data
from perturbations.draw import Draw
from perturbations.materials import Materials
from perturbations.records.hashing import digest
from perturbations.records.transcript import Transcript
from perturbations.rows import ROWS, Row
from perturbations.writer import BadDraw, Change, NotApplicable

_PROMPTS = (
    "rewrite_system",
    "rewrite_user",
    *dict.fromkeys(row.rewrite_prompt for row in ROWS.values() if row.rewrite_prompt is not None),
)


@dataclass(frozen=True)
class LlmRewriter:
    """Asks an LLM for the turns that an attribute changes. Names and remarks are drawn as the rules draw them."""

    judge: JudgeClient
    materials: Materials
    now: Callable[[], datetime]

    @property
    def version(self) -> str:
        """A hash of the materials, the LLM as a system and the prompts."""
        return digest(self.materials.hash, self._asking)

    @property
    def _asking(self) -> str:
        """A hash of how the LLM is asked, whatever is drawn."""
        return digest("rewriter", self.judge.system_id, *(prompt_text(name) for name in _PROMPTS))

    async def write(self, transcript: Transcript, row: Row, draw: Draw) -> Change | NotApplicable | BadDraw:
        """The change as edits of the words that differ.

        Not applicable for the reasons of `rewrite_task`, and where the LLM says so. A bad draw: `rewrite_` and the
        reason of a JsonCallError or of a ReplyFault. Raises ValueError for a row that is by rules alone.
        """
        if row.rewrite_prompt is None:
            raise ValueError(f"{row.name} is written by rules alone")
        task = rewrite_task(transcript, row, row.rewrite_prompt, draw, self.materials)
        if isinstance(task, NotApplicable):
            return task
        values = {
            "task": task.text,
            "wording": str(wording_number(draw)),
            "transcript": turns_as_data(transcript.turns),
        }
        call = JsonCall(
            system=prompt_text("rewrite_system").strip(),
            user=fill_template("rewrite_user", values),
            schema=REWRITE_SCHEMA,
            key=digest("rewrite", self._asking, transcript.content_hash, row.name, *draw.key()),
            max_output_tokens=rewriting_budget(transcript.turns, reasons=self.judge.card.reasons),
        )
        try:
            reply = await ask_for_object(call, self.judge, now=self.now)
            return read_rewriting(reply, transcript, first_name=task.first_name)
        except JsonCallError as error:
            return BadDraw(f"rewrite_{error.reason}", again=error.again)
        except ReplyFault as fault:
            return BadDraw(f"rewrite_{fault}")
