"""Keeps docs/rows.md up to date: a real example for each attribute of every row, and its reach.

    python -m benchmarks.rows_document

The words on the page are written there. For a new row, write a section that is headed as the others are, with what
the row does and a list of its limits, at its place in the rows' order; what is made comes between them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.row_coverage import PACKAGED, Reach, reaches
from perturbations.materials import own_materials
from perturbations.records.transcript import Transcript, read_transcript
from perturbations.records.variant import Variant
from perturbations.rows import ROWS, Row
from perturbations.variant_maker import VariantMaker
from streams.cli.offline.variant_diff import Paint, diff_lines

DOCUMENT = Path(__file__).parents[1] / "docs" / "rows.md"
SEED = 7

_LINES = 3
_REACH = "Reach on the packaged dialogues:"
_ROW_HEADING = re.compile(r"## `(\w+)`\n")
_OPERATIONS = {1: "transformation of turns", 2: "an added turn", 3: "a metadata header"}


def _around(mark: str) -> Callable[[str], str]:
    """Puts the mark around a text; Markdown wants spaces at its ends outside."""

    def paint(text: str) -> str:
        inner = text.strip(" ")
        left = len(text) - len(text.lstrip(" "))
        return f"{' ' * left}{mark}{inner}{mark}{text[left + len(inner) :]}" if inner else text

    return paint


_PAINT = Paint(removed=_around("~~"), added=_around("**"), title=str)


async def refreshed(page: str, transcripts: Sequence[Transcript]) -> str:
    """The page with its examples and reaches made anew. Raises LookupError where its sections aren't the rows."""
    sections = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    described = [name[1] for section in sections if (name := _ROW_HEADING.match(section))]
    if described != list(ROWS):
        raise LookupError(f"the sections of rows are {', '.join(described)}; they must be {', '.join(ROWS)}")
    every_reach = await reaches(transcripts, seed=SEED)
    return "".join([await _section(section, every_reach, transcripts) for section in sections])


async def _section(section: str, every_reach: Sequence[Reach], transcripts: Sequence[Transcript]) -> str:
    lines = section.splitlines()
    if lines[0] == "## Reach":
        start = next(number for number, line in enumerate(lines) if line.startswith("|"))
        words = [line for line in lines if not line.startswith("|")]
        return "\n".join([*words[:start], *_reach_table(every_reach), *words[start:]]) + "\n"
    named = _ROW_HEADING.match(section)
    if named is None:
        return section
    row = ROWS[named[1]]
    example, variants = await _example(row, transcripts)
    reach = [each for each in every_reach if each.row == row.name]
    return "\n\n".join([lines[0], *_row_parts(row, _words(lines[1:]), example, variants, reach)]) + "\n\n"


def _words(lines: Sequence[str]) -> tuple[str, str]:
    """What is written in a row's section: what the row does, and the list of its limits."""
    written = [
        line
        for line in lines
        if not line.startswith(("|", _REACH)) and not (line.startswith("*") and line.endswith("*"))
    ]
    limits = [line for line in written if line.startswith("- ")]
    return "\n".join(line for line in written if line not in limits).strip(), "\n".join(limits)


def _row_parts(
    row: Row, words: tuple[str, str], example: Transcript, variants: Sequence[Variant], reach: Sequence[Reach]
) -> Iterator[str]:
    what, limits = words
    operations = " and ".join(_OPERATIONS[each] for each in row.operations)
    yield f"*{row.title}, {row.category}: {operations}.*"
    yield what
    shown = (f"| `{variant.attribute}` | {_shown(example, variant)} |" for variant in variants)
    yield "\n".join([f"| attribute | `{example.transcript_id}` |", "| --- | --- |", *shown])
    counts = (f"{each.what} {each.reached} of {each.transcripts} ({each.of})" for each in reach)
    yield f"{_REACH} {'; '.join(counts)}."
    yield limits


async def _example(row: Row, transcripts: Sequence[Transcript]) -> tuple[Transcript, list[Variant]]:
    """The first transcript that the row is complete on, one in everyday spelling where there is any."""
    maker, arms = VariantMaker(own_materials()), [(row, attribute) for attribute in row.attributes]
    in_everyday_spelling = [each for each in transcripts if any(letter.isupper() for letter in each.turns[0].text)]
    for transcript in (*in_everyday_spelling, *transcripts):
        variants = await maker.variants(transcript, arms, seed=SEED)
        if all(variant.status in ("accepted", "original") for variant in variants):
            return transcript, variants
    raise LookupError(f"no transcript is complete in {row.name}")


def _shown(transcript: Transcript, variant: Variant) -> str:
    if variant.status == "original":
        return "the transcript as it is"
    lines = [
        line.strip().replace("|", "\\|").replace("<", "&lt;") for line in diff_lines(transcript, variant, _PAINT)
    ][1:]
    more = [f"(and {len(lines) - _LINES} more)"] if len(lines) > _LINES else []
    return "<br>".join([*lines[:_LINES], *more])


def _reach_table(every_reach: Sequence[Reach]) -> Iterator[str]:
    yield "| row | | of | reached | wanted |"
    yield "| --- | --- | --- | --- | --- |"
    for each in every_reach:
        share = "-" if each.share is None else f"{each.reached} of {each.transcripts} ({each.share:.0%})"
        yield f"| `{each.row}` | {each.what} | {each.of} | {share} | {each.wanted:.0%} |"


async def packaged_document() -> str:
    """The page for the packaged dialogues."""
    transcripts = [read_transcript(line) for line in PACKAGED.read_bytes().splitlines()]
    return await refreshed(DOCUMENT.read_text(encoding="utf-8"), transcripts)


if __name__ == "__main__":
    DOCUMENT.write_text(asyncio.run(packaged_document()), encoding="utf-8")
