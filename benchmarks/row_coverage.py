"""How many transcripts each row reaches, against what it should reach.

    python -m benchmarks.row_coverage [FILE.jsonl] [--seed 7]

FILE is the packaged dialogues by default. A row of names should be complete on 90 % of the transcripts whose agent's
name is known or stated in an agent turn, disability and the header rows on all, and a style row's second attribute
should be made from 70 % of all and `neutral` from every one with a marker in an agent turn. Exit code 1 below that.

Which agent turns state a name is searched here without the rules that the rows use.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from perturbations.materials import own_materials
from perturbations.records.transcript import Transcript, read_transcript
from perturbations.rows import ROWS, Row
from perturbations.style.style_markers import count_markers
from perturbations.style.style_rules import NEUTRAL
from perturbations.variant_maker import VariantMaker

PACKAGED = Path(__file__).parents[1] / "streams" / "demo" / "data" / "transcripts.jsonl"

_STATED = re.compile(
    r"\bmy name(?: i)?(?:'s| is) (?!\[|<|#)\w+|\bthis is (?:mr|mrs|ms|miss|mister)\.? \w+", re.IGNORECASE
)


@dataclass(frozen=True)
class Reach:
    """How many of the transcripts that a row should reach it does, and the share that is wanted."""

    row: str
    what: str
    of: str
    transcripts: int
    reached: int
    wanted: float

    @property
    def share(self) -> float | None:
        """The share that is reached; None where there is no such transcript."""
        return self.reached / self.transcripts if self.transcripts else None

    @property
    def is_enough(self) -> bool:
        """Whether the wanted share is reached."""
        return self.share is None or self.share >= self.wanted


async def reaches(transcripts: Sequence[Transcript], *, seed: int) -> list[Reach]:
    """Every row's reach, in the table's order; style rows have one line for each attribute."""
    return [await _reach(row, goal, seed) for row in ROWS.values() for goal in _goals(row, transcripts)]


@dataclass(frozen=True)
class _Goal:
    """The attributes that are to be reached on a share of these transcripts."""

    attributes: tuple[str, ...]
    of: str
    transcripts: Sequence[Transcript]
    wanted: float


def _goals(row: Row, transcripts: Sequence[Transcript]) -> Iterator[_Goal]:
    if row.category == "style":
        marked = [transcript for transcript in transcripts if _holds_marker(transcript, row.name)]
        yield _Goal((NEUTRAL,), "with a marker of it", marked, 1.0)
        yield _Goal(row.attributes[-1:], "all", transcripts, 0.7)
    elif row.named_by is not None:
        named = [transcript for transcript in transcripts if states_its_agent(transcript)]
        yield _Goal(row.attributes, "named", named, 0.9)
    else:
        yield _Goal(row.attributes, "all", transcripts, 1.0)


def states_its_agent(transcript: Transcript) -> bool:
    """Whether the agent gives a name in an agent turn, or has one by the record that an agent turn holds."""
    known = (transcript.agent.name or "").split()
    return any(
        _STATED.search(turn.text) or any(re.search(rf"\b{re.escape(name)}\b", turn.text, re.I) for name in known)
        for turn in transcript.turns
        if turn.speaker == "agent"
    )


def _holds_marker(transcript: Transcript, row: str) -> bool:
    return any(turn.speaker == "agent" and count_markers(row, turn.text) for turn in transcript.turns)


async def _reach(row: Row, goal: _Goal, seed: int) -> Reach:
    maker = VariantMaker(own_materials())
    reached = 0
    for transcript in goal.transcripts:
        arms = [(row, attribute) for attribute in goal.attributes]
        variants = await maker.variants(transcript, arms, seed=seed)
        reached += all(variant.status in ("accepted", "original") for variant in variants)
    what = "complete" if goal.attributes == row.attributes else goal.attributes[0]
    return Reach(row.name, what, goal.of, len(goal.transcripts), reached, goal.wanted)


def main() -> None:
    """Print one line for each row, and fail where a row reaches too little."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path, default=PACKAGED)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    transcripts = [read_transcript(line) for line in options.file.read_bytes().splitlines() if line.strip()]
    every_reach = asyncio.run(reaches(transcripts, seed=options.seed))
    for each in every_reach:
        share = "-" if each.share is None else f"{each.share:.1%}"
        mark = "" if each.is_enough else "  TOO FEW"
        print(
            f"{each.row:22} {each.what:11} {each.reached:4} of {each.transcripts:4} {each.of:22} {share:>7}"
            f"  (wanted {each.wanted:.0%}){mark}"
        )
    raise SystemExit(0 if all(each.is_enough for each in every_reach) else 1)


if __name__ == "__main__":
    main()
