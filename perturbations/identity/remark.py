"""What any remark that is put into the agent's mouth must be, whatever it tells."""

from __future__ import annotations

from collections.abc import Iterator

from perturbations.style.style_markers import count_markers
from perturbations.text.article import wrong_articles
from perturbations.text.places import is_question

LONGEST = 200

_ABOUT_TREATMENT = ("politeness", "emotional_labor")
"""The style rows about how the agent treats the customer; every sentence is more or less formal and direct."""


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
    for row in _ABOUT_TREATMENT:
        if count_markers(row, text):
            yield f"a text must hold no marker of {row}: the remark would change that too"
