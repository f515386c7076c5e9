"""What the judge is asked about one arm: (questions, turns, header) -> messages. Pure.

The words live in files under `evaluators/prompts/`; their hash is part of the judge's `system_id`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from perturbations.hashing import digest
from perturbations.transcript import Question, Turn

TRANSCRIPT_START = "<transcript>"
TRANSCRIPT_END = "</transcript>"


@dataclass(frozen=True)
class Prompt:
    """The two messages of an Auto-QA call."""

    system: str
    user: str


def auto_qa_prompt(questions: Sequence[Question], turns: Sequence[Turn], header: str | None) -> Prompt:
    """All questions about one arm in one call, the coaching note with it.

    A header stands inside the transcript's marks, before the first turn, with an empty line after it. Turns are
    `[speaker] text`; further lines of a turn are indented, so that no text can pass for another turn, and an end mark
    inside the text is defused, so that none can pass for an instruction.
    """
    body = transcript_text(turns, header)
    asked = "\n".join(_line(question) for question in questions)
    # One pass over the template: a question or a turn that holds a placeholder's text stays text.
    filled = {"{questions}": asked, "{transcript}": body}
    user = re.sub("|".join(map(re.escape, filled)), lambda found: filled[found[0]], prompt_text("auto_qa_user"))
    return Prompt(system=prompt_text("auto_qa_system").strip(), user=user.strip())


def transcript_text(turns: Sequence[Turn], header: str | None) -> str:
    """One arm as text: the header if there is one, an empty line, and a line for each turn."""
    body = "\n".join(f"[{turn.speaker}] {_as_data(turn.text)}" for turn in turns)
    return body if header is None else f"{_as_data(header, indent='')}\n\n{body}"


def prompts_hash() -> str:
    """The version of the prompts: a hash of their texts."""
    return digest(*(prompt_text(name) for name in ("auto_qa_system", "auto_qa_user")))


@cache
def prompt_text(name: str) -> str:
    """The text of one prompt file."""
    return files("evaluators").joinpath("prompts", f"{name}.txt").read_text(encoding="utf-8")


def _line(question: Question) -> str:
    return f"- {question.question_id}: {question.text}" + (" (na allowed)" if question.allow_na else "")


def _as_data(text: str, indent: str = "    ") -> str:
    defused = text.replace("</transcript", "<\\/transcript")
    return f"\n{indent}".join(defused.splitlines())
