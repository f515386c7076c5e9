"""A remark that is put into the agent's mouth: what it may be, whatever it tells, and how one is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from perturbations.draw import Draw
from perturbations.rows import rows_of
from perturbations.style.style_markers import count_markers
from perturbations.text.article import wrong_articles
from perturbations.text.places import is_question
from perturbations.writer import NotApplicable

LONGEST = 200

RemarkPlace = Literal["aside", "early", "farewell"]
"""A turn of its own; one among the first places for such a turn; or the end of the agent's goodbye."""


@dataclass(frozen=True)
class Remark:
    """What the agent says in passing, and where."""

    text: str
    place: RemarkPlace


class Remarks(Protocol):
    """A list of remarks."""

    def draw(self, draw: Draw, *, channel: str | None, says_goodbye: bool) -> Remark | NotApplicable:
        """The remark of this draw: one that fits the channel, at the farewell only where the agent says goodbye.

        A placebo's is another one than its arm's; `no_second_draw` where there is none, `no_cue` where none fits.
        """
        ...


def remark_faults(text: str) -> Iterator[str]:
    """What is wrong with a remark of a list: it is no sentence, asks something, or shifts a style row as well."""
    if not text or "\n" in text or len(text) > LONGEST:
        yield f"a text must be one line of 1 to {LONGEST} characters"
        return
    if is_question(text):
        yield "a text must not ask anything: the next turn would not answer it"
    if wrong := wrong_articles(text):
        article, word = next(iter(wrong))
        yield f'"{article} {word}" has the wrong article'
    for row in rows_of("style"):
        if row.about_treatment and count_markers(row.name, text):
            yield f"a text must hold no marker of {row.name}: the remark would change that too"
