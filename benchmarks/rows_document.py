"""Writes docs/rows.md: what each row does, a real example for each attribute, its reach and its limits.

    python -m benchmarks.rows_document

The words about the rows are in `data/rows.toml`, `data/rows_before.md` and `data/rows_after.md`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.row_coverage import PACKAGED, Reach, reaches
from perturbations.generate import make_variants
from perturbations.records.transcript import Transcript, read_transcript
from perturbations.records.variant import Variant
from perturbations.rows import ROWS, Row
from streams.cli.offline.variant_diff import Paint, diff_lines

DOCUMENT = Path(__file__).parents[1] / "docs" / "rows.md"
DATA = Path(__file__).parent / "data"
SEED = 7

_LINES = 3
_OPERATIONS = {1: "transformation of turns", 2: "an added turn", 3: "a metadata header"}


def _around(mark: str) -> Callable[[str], str]:
    """Puts the mark around a text; Markdown wants spaces at its ends outside."""

    def paint(text: str) -> str:
        inner = text.strip(" ")
        left = len(text) - len(text.lstrip(" "))
        return f"{' ' * left}{mark}{inner}{mark}{text[left + len(inner) :]}" if inner else text

    return paint


_PAINT = Paint(removed=_around("~~"), added=_around("**"), title=str)


def rows_document(transcripts: Sequence[Transcript]) -> str:
    """The whole page."""
    about = tomllib.loads((DATA / "rows.toml").read_text(encoding="utf-8"))
    found = list(reaches(transcripts, seed=SEED))
    after = (DATA / "rows_after.md").read_text(encoding="utf-8")
    parts = [(DATA / "rows_before.md").read_text(encoding="utf-8")]
    for row in ROWS.values():
        reach = [each for each in found if each.row == row.name]
        parts.append("\n".join(_section(row, about[row.name], reach, transcripts)))
    parts.append(after.replace("<!-- reach -->", "\n".join(_reach_table(found))))
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _section(
    row: Row, about: dict[str, str | list[str]], reach: Sequence[Reach], transcripts: Sequence[Transcript]
) -> Iterator[str]:
    yield f"## `{row.name}`"
    yield ""
    operations = " and ".join(_OPERATIONS[each] for each in row.operations)
    yield f"*{row.title}, {row.category}: {operations}.*"
    yield ""
    yield str(about["what"]).strip()
    yield ""
    transcript, variants = _example(row, transcripts)
    yield f"| attribute | `{transcript.transcript_id}` |"
    yield "| --- | --- |"
    for variant in variants:
        yield f"| `{variant.attribute}` | {_shown(transcript, variant)} |"
    yield ""
    told = (f"{each.what} {each.reached} of {each.transcripts} ({each.of})" for each in reach)
    yield f"Reach on the packaged dialogues: {'; '.join(told)}."
    yield ""
    yield from (f"- {limit}" for limit in about["limits"])


def _example(row: Row, transcripts: Sequence[Transcript]) -> tuple[Transcript, list[Variant]]:
    """The first transcript that the row is complete on, one in everyday spelling where there is any."""
    written = [each for each in transcripts if any(letter.isupper() for letter in each.turns[0].text)]
    for transcript in (*written, *transcripts):
        variants = list(make_variants(transcript, [row.name], seed=SEED))
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


def _reach_table(found: Sequence[Reach]) -> Iterator[str]:
    yield "| row | | of | reached | wanted |"
    yield "| --- | --- | --- | --- | --- |"
    for each in found:
        share = "-" if each.share is None else f"{each.reached} of {each.transcripts} ({each.share:.0%})"
        yield f"| `{each.row}` | {each.what} | {each.of} | {share} | {each.wanted:.0%} |"


def packaged_document() -> str:
    """The page for the packaged dialogues."""
    return rows_document([read_transcript(line) for line in PACKAGED.read_bytes().splitlines()])


if __name__ == "__main__":
    DOCUMENT.write_text(packaged_document(), encoding="utf-8")
