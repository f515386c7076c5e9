"""What an LLM is asked to change for one attribute, with the names and remarks that are drawn for it."""

from __future__ import annotations

from dataclasses import dataclass

from evaluators.questions.prompt import fill_template
from perturbations.draw import RETRIES, Draw
from perturbations.identity.drawn_identity import Subject, any_subject, draw_identity
from perturbations.materials import Materials
from perturbations.records.transcript import Transcript
from perturbations.rows import Row
from perturbations.writer import NotApplicable


@dataclass(frozen=True)
class RewriteTask:
    """The task in words. `first_name` is the drawn name that must come to stand in the text, None in other rows."""

    text: str
    first_name: str | None = None


def rewrite_task(
    transcript: Transcript, row: Row, prompt: str, draw: Draw, materials: Materials
) -> RewriteTask | NotApplicable:
    """The task of `draw.attribute`, in the words of the row's prompt.

    Names and remarks are those that the rules would draw, so that a row with cues has the names of the row without,
    and a placebo others. Not applicable where a mark stands where the agent's name was said (`name_redacted`), where
    nothing is left to draw, and where no agent speaks (`no_agent_turn`).
    """
    if not any(turn.speaker == "agent" for turn in transcript.turns):
        return NotApplicable("no_agent_turn")
    subject = any_subject(transcript) if row.named_by is not None else Subject(transcript.channel)
    if isinstance(subject, NotApplicable):
        return subject
    cues = materials.cues[row.cues] if row.cues is not None else None
    drawn = draw_identity(row, subject, draw, materials.names, cues)
    if isinstance(drawn, NotApplicable):
        return drawn
    values = {
        "attribute": draw.attribute,
        "first_name": drawn.first_name or "",
        "surname": drawn.surname or "",
        "remark": drawn.remark.text if drawn.remark is not None else "",
    }
    return RewriteTask(fill_template(prompt, values), drawn.first_name)


def wording_number(draw: Draw) -> int:
    """Which of several wordings is asked for, from 1: each retry and each placebo another one."""
    return 1 + draw.attempt + (RETRIES + 1) * draw.draw
