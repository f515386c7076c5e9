"""A variant beside its transcript for people: what was taken out and put in, added turns, headers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import click

from perturbations.records.edit import Insertion, Replacement
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant

_INDENT = "       "
_CONTEXT = 60


@dataclass(frozen=True)
class Paint:
    """How what was taken out, what was put in and a title are shown."""

    removed: Callable[[str], str]
    added: Callable[[str], str]
    title: Callable[[str], str]


MARKS = Paint(removed="[-{}-]".format, added="{{+{}+}}".format, title=str)
"""In marks, for files and pipes: [-before-]{+after+}."""

COLOURS = Paint(
    removed=lambda text: click.style(text, fg="red", strikethrough=True),
    added=lambda text: click.style(text, fg="green"),
    title=lambda text: click.style(text, bold=True),
)
"""In colours, for terminals."""


def diff_lines(transcript: Transcript, variant: Variant, paint: Paint) -> Iterator[str]:
    """The variant as lines: a title, then what it changes, in the order of the transcript.

    Long stretches that stay are shortened. Control characters are escaped: no transcript can steer a terminal.
    """
    yield paint.title(_title(variant))
    if variant.header is not None:
        for line in variant.header.splitlines():
            yield f"  [h]  {paint.added(_shown(line))}"
    replaced: dict[int, list[Replacement]] = {}
    inserted: dict[int, list[Insertion]] = {}
    for edit in variant.edits:
        if isinstance(edit, Insertion):
            inserted.setdefault(edit.turn, []).append(edit)
        else:
            replaced.setdefault(edit.turn, []).append(edit)
    for index in sorted({*replaced, *inserted}):
        for insertion in inserted.get(index, ()):
            yield f"{f'[+{index}]':>6} {insertion.speaker}: {paint.added(_shown(insertion.after))}"
        if index in replaced:
            turn = transcript.turns[index]
            yield f"{f'[{index}]':>6} {turn.speaker}: {_marked(turn.text, replaced[index], paint)}"


def _title(variant: Variant) -> str:
    arm = f"{_shown(variant.transcript_id)}  {variant.row}: {variant.attribute}"
    if variant.draw:
        arm += f" (placebo, draw {variant.draw})"
    if variant.status == "accepted":
        return arm + (f"  ({variant.retries} retries)" if variant.retries else "")
    title = "the transcript as it is" if variant.status == "original" else variant.status.replace("_", " ")
    return f"{arm}  - {title}" + (f": {variant.reason}" if variant.reason else "")


def _marked(text: str, edits: Sequence[Replacement], paint: Paint) -> str:
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda each: each.start):
        parts.append(_kept(text[done : edit.start], first=done == 0, last=False))
        parts += [paint.removed(_shown(edit.before))] * bool(edit.before)
        parts += [paint.added(_shown(edit.after))] * bool(edit.after)
        done = edit.end
    return "".join([*parts, _kept(text[done:], first=False, last=True)])


def _kept(text: str, *, first: bool, last: bool) -> str:
    """A stretch that stays, with its middle left out where it is long: only what is next to a change is read."""
    head = 0 if first else _CONTEXT
    tail = 0 if last else _CONTEXT
    if len(text) <= head + tail + _CONTEXT:
        return _shown(text)
    begins, ends = _whole_words(text[:head]), _whole_words(text[len(text) - tail :][::-1])[::-1]
    return f"{_shown(begins)} ... {_shown(ends)}".strip(" ") if tail else f"{_shown(begins)} ..."


def _whole_words(text: str) -> str:
    """The text without the word in which it was cut off."""
    return text.rpartition(" ")[0] or text


def _shown(text: str) -> str:
    return "".join(
        character
        if character.isprintable()
        else f"\n{_INDENT}"
        if character == "\n"
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
