"""How many transcripts each row reaches, against what it should reach.

    python -m benchmarks.row_coverage [FILE.jsonl] [--seed 7]

FILE is the packaged dialogues by default. A row of names should be complete on 90 % of the transcripts whose agent's
name is known or stated in an agent turn, disability and the header rows on all, and a style row's second attribute
should be made from 70 % of all and `neutral` from every one with a marker in an agent turn. Exit code 1 below that.

Which agent turns state a name is searched here without the rules that the rows use.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from perturbations.generate import make_variant
from perturbations.records.transcript import Transcript, read_transcript
from perturbations.rows import ROWS
from perturbations.style.style_markers import STYLE_ROWS, count_markers

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


def reaches(transcripts: Sequence[Transcript], *, seed: int) -> Iterator[Reach]:
    """Every row's reach, in the table's order; style rows have one line for each attribute."""
    named = [transcript for transcript in transcripts if states_its_agent(transcript)]
    for row in ROWS.values():
        if row.name in STYLE_ROWS:
            intense = row.attributes[-1]
            marked = [transcript for transcript in transcripts if _holds_marker(transcript, row.name)]
            yield _reach(row.name, ("neutral",), "with a marker of it", marked, 1.0, seed)
            yield _reach(row.name, (intense,), "all", transcripts, 0.7, seed)
        elif row.category == "identity" and row.name != "agent_disability":
            yield _reach(row.name, row.attributes, "named", named, 0.9, seed)
        else:
            yield _reach(row.name, row.attributes, "all", transcripts, 1.0, seed)


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


def _reach(
    row: str, attributes: Sequence[str], of: str, transcripts: Sequence[Transcript], wanted: float, seed: int
) -> Reach:
    reached = sum(
        all(
            make_variant(transcript, ROWS[row], attribute, seed=seed).status in ("accepted", "original")
            for attribute in attributes
        )
        for transcript in transcripts
    )
    what = "complete" if tuple(attributes) == ROWS[row].attributes else attributes[0]
    return Reach(row, what, of, len(transcripts), reached, wanted)


def main() -> None:
    """Print one line for each row, and fail where a row reaches too little."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path, default=PACKAGED)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    transcripts = [read_transcript(line) for line in options.file.read_bytes().splitlines() if line.strip()]
    found = list(reaches(transcripts, seed=options.seed))
    for each in found:
        share = "-" if each.share is None else f"{each.share:.1%}"
        mark = "" if each.is_enough else "  TOO FEW"
        print(
            f"{each.row:22} {each.what:11} {each.reached:4} of {each.transcripts:4} {each.of:22} {share:>7}"
            f"  (wanted {each.wanted:.0%}){mark}"
        )
    raise SystemExit(0 if all(each.is_enough for each in found) else 1)


if __name__ == "__main__":
    main()
