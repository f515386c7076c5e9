"""What the simulated judge reads: the Auto-QA prompt taken apart again, the inverse of `questions.prompt.fill`.

Of a request the judge knows this text alone: no row, no attribute, no transcript id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import get_args

from evaluators.questions.prompt import prompt_text
from perturbations.records.transcript import Speaker, Turn

_NA_ALLOWED = " (na allowed)"
_INDENT = "    "
_SPEAKERS: dict[str, Speaker] = {speaker: speaker for speaker in get_args(Speaker)}
_TURN = re.compile(rf"^\[({'|'.join(_SPEAKERS)})\] ?", re.MULTILINE)


class PromptReadingError(ValueError):
    """A message that isn't laid out as an Auto-QA call."""


@dataclass(frozen=True)
class PromptQuestion:
    """One question as it stands in the prompt."""

    question_id: str
    text: str
    allow_na: bool


@dataclass(frozen=True)
class PromptReading:
    """Everything that an Auto-QA call shows about one arm."""

    questions: tuple[PromptQuestion, ...]
    header: str | None
    turns: tuple[Turn, ...]


def read_prompt(user: str) -> PromptReading:
    """The questions, the header and the turns of an Auto-QA user message.

    Line ends come back as the prompt wrote them: every kind as one newline, none at the end of a text. Raises
    PromptReadingError, without repeating any of the text, where the layout is another one.
    """
    before, between, after = _frame()
    if not user.startswith(before) or not user.endswith(after):
        raise PromptReadingError("the message doesn't begin and end as an Auto-QA call does")
    questions, mark, body = user[len(before) : len(user) - len(after)].partition(between)
    if not mark:
        raise PromptReadingError("the message has no transcript")
    return PromptReading(tuple(_question(line) for line in questions.split("\n") if line), *_conversation(body))


@cache
def _frame() -> tuple[str, str, str]:
    before, rest = prompt_text("auto_qa_user").strip().split("{questions}")
    between, after = rest.split("{transcript}")
    return before, between, after


def _question(line: str) -> PromptQuestion:
    question_id, mark, text = line.removeprefix("- ").partition(": ")
    if not line.startswith("- ") or not mark:
        raise PromptReadingError("a line among the questions is none")
    return PromptQuestion(question_id, text.removesuffix(_NA_ALLOWED), text.endswith(_NA_ALLOWED))


def _conversation(body: str) -> tuple[str | None, tuple[Turn, ...]]:
    header: str | None = None
    if _TURN.match(body):
        # Further lines of a turn are indented: after an empty line comes the header.
        body, mark, after = body.partition("\n\n")
        header = after if mark else None
    else:
        # The header ends at the empty line before the first turn; it may hold empty lines of its own.
        first = re.search(rf"\n\n(?={_TURN.pattern[1:]})", body)
        if first is None:
            raise PromptReadingError("the transcript has no turns")
        header, body = body[: first.start()], body[first.end() :]
    return header, tuple(_turns(body))


def _turns(body: str) -> list[Turn]:
    starts = list(_TURN.finditer(body))
    ends = [start.start() - 1 for start in starts[1:]] + [len(body)]
    return [
        Turn.model_construct(speaker=_SPEAKERS[start[1]], text=body[start.end() : end].replace(f"\n{_INDENT}", "\n"))
        for start, end in zip(starts, ends, strict=True)
    ]
