"""What the judge is asked about one arm: (questions, turns, header) -> messages. Pure.

The words live in files under `evaluators/prompts/`; their hash is part of the judge's `system_id`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from perturbations.records.hashing import digest
from perturbations.records.transcript import Question, Turn

HeaderPosition = Literal["before", "after"]
"""Where a metadata header stands: before the first turn or after the last one."""

PLACEHOLDERS = ("{questions}", "{transcript}")

_PLACEHOLDER = re.compile(r"\{[A-Za-z_]+\}")


@dataclass(frozen=True)
class Prompt:
    """The two messages of an Auto-QA call."""

    system: str
    user: str


@dataclass(frozen=True)
class PromptTemplates:
    """The templates of the two messages; `{questions}` and `{transcript}` stand for what they say."""

    system: str
    user: str


def question_templates(*, with_note: bool = True, fairness: bool = False) -> PromptTemplates:
    """Our own words for asking questions, with or without a coaching note, plain or fairness-aware."""
    system = prompt_text("auto_qa_system" if with_note else "answers_system")
    return PromptTemplates(_with_fairness(system, fairness), prompt_text("auto_qa_user"))


def note_templates(*, fairness: bool = False) -> PromptTemplates:
    """Our own words for asking for a coaching note alone."""
    system = prompt_text("coaching_note_system")
    return PromptTemplates(_with_fairness(system, fairness), prompt_text("coaching_note_user"))


def fill(
    templates: PromptTemplates,
    questions: Sequence[Question],
    turns: Sequence[Turn],
    header: str | None,
    *,
    header_position: HeaderPosition = "before",
) -> Prompt:
    """The messages about one arm.

    A header stands inside the transcript's marks, with an empty line between it and the turns. Turns are
    `[speaker] text`; further lines of a turn are indented, so that no text can pass for another turn, and an end mark
    inside the text is defused, so that none can pass for an instruction.
    """
    # One pass over each template: a question or a turn that holds a placeholder's text stays text.
    filled = {
        "{questions}": "\n".join(_line(question) for question in questions),
        "{transcript}": transcript_text(turns, header, header_position=header_position),
    }
    places = re.compile("|".join(map(re.escape, filled)))
    system, user = (
        places.sub(lambda placeholder: filled[placeholder[0]], template).strip()
        for template in (templates.system, templates.user)
    )
    return Prompt(system=system, user=user)


def placeholder_fault(system: str | None, user: str | None) -> str | None:
    """What is wrong with a team's own templates, in a sentence; None where nothing is."""
    for name, template in (("system_prompt", system), ("user_prompt", user)):
        unknown = sorted(set(_PLACEHOLDER.findall(template or "")) - set(PLACEHOLDERS))
        if unknown:
            return f"{name} holds {unknown[0]}; allowed are {' and '.join(PLACEHOLDERS)}"
    if user is None:
        return None
    missing = [name for name in PLACEHOLDERS if name not in user and name not in (system or "")]
    return f"{missing[0]} is missing: user_prompt must say where it goes" if missing else None


def transcript_text(turns: Sequence[Turn], header: str | None, *, header_position: HeaderPosition = "before") -> str:
    """One arm as text: a line for each turn, and the header, if there is one, with an empty line between."""
    body = "\n".join(f"[{turn.speaker}] {_as_data(turn.text)}" for turn in turns)
    if header is None:
        return body
    lines = _as_data(header, indent="")
    return f"{lines}\n\n{body}" if header_position == "before" else f"{body}\n\n{lines}"


def prompts_hash() -> str:
    """The version of the prompts: a hash of their texts."""
    return digest(*(prompt_text(name) for name in ("auto_qa_system", "auto_qa_user")))


def fill_template(name: str, values: Mapping[str, str]) -> str:
    """A prompt file with the values in their places; what stands in a value is never read as a place."""
    # One pass, as in `fill`; a brace with a word that is no name of a value stays as it is.
    return _PLACEHOLDER.sub(lambda hole: values.get(hole[0][1:-1], hole[0]), prompt_text(name)).strip()


def prompt_text(name: str) -> str:
    """The text of one prompt file."""
    return prompt_data(f"{name}.txt")


@cache
def prompt_data(file: str) -> str:
    """A file that lies beside the prompts."""
    return files("evaluators").joinpath("prompts", file).read_text(encoding="utf-8")


def _with_fairness(system: str, fairness: bool) -> str:
    return system + (prompt_text("fairness_system") if fairness else "")


def _line(question: Question) -> str:
    return f"- {question.question_id}: {question.text}" + (" (na allowed)" if question.allow_na else "")


def _as_data(text: str, indent: str = "    ") -> str:
    defused = text.replace("</transcript", "<\\/transcript")
    return f"\n{indent}".join(defused.splitlines())
