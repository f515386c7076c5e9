"""The real dialogues that the repository carries."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from perturbations.records.transcript import Transcript, read_transcript


@cache
def real_transcripts() -> tuple[Transcript, ...]:
    """All of them, in the file's order."""
    raw = files("streams").joinpath("demo", "data", "transcripts.jsonl").read_bytes()
    return tuple(read_transcript(line) for line in raw.splitlines())
