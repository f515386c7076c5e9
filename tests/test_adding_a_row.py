"""Made-up rows added as CONTRIBUTING.md says, in a copy of the packages: the files that it takes, and no more."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builders import make_transcript

ROOT = Path(__file__).parents[1]
COPIED = ("perturbations", "evaluators", "metrics", "streams", "benchmarks", "docs")
FACTS = Path("tests") / "test_row_facts.py"

STYLE_LINE = """
    _style("hesitation", "Hesitation", "hesitant", may_change="how hesitantly the agent speaks"),
"""
STYLE_RULES = r"""
markers = ["um", "uh"]
openers = ["okay", "so"]
embedders = ["that"]
alone = ["okay"]
share = 1.0

[[neutral]]
find = "um|uh"
write = [""]

[[intense]]
find = "(?:i|we|you) (?:can|will|see|have|need|would)"
write = ['um \g<0>', 'uh \g<0>']
at = "start"
"""
STYLE_PROMPT = """Set the agent's hesitation to {attribute}.
- hesitant: the agent fills pauses with um and uh.
- neutral: no pause is filled.
Only hesitation changes. Not applicable where nothing in the agent's turns can be changed so.
"""
STYLE_PROFILE = """
[rows.hesitation]
flip_probability = 0.05
masd = { confidence = 4.0, positive = 2.5, improvement = 3.3 }
cue = { kind = "marker_count", style = "hesitation" }
"""

REMARK_LINE = """
    _remark("agent_age", "Agent Age", "untold", "older", cues="age.csv", about="age"),
"""
REMARKS = """text,place,channel
I have been here longer than this system has.,any,any
I began when all of this was on paper.,any,any
My grandson set up this screen for me.,any,any
I will retire from here in the spring.,any,any
"""
REMARK_PROFILE = """
[rows.agent_age]
flip_probability = 0.05
masd = { confidence = 4.0, positive = 2.5, improvement = 3.3 }
cue = { kind = "agent_phrase", file = "age.csv" }
"""
SECTION = """## `{row}`

Changes what it says.

- Made up.

"""


@dataclass(frozen=True)
class Walk:
    """What is written, file by file: the row's line, its data files, and the rest."""

    row: str
    line: str
    data: dict[str, str]
    others: dict[str, Callable[[str], str]]
    most: int


def behind(text: str) -> Callable[[str], str]:
    return lambda before: before + text


def before_reach(section: str) -> Callable[[str], str]:
    return lambda page: page.replace("## Reach\n", f"{section}## Reach\n")


WALKS = [
    Walk(
        row="hesitation",
        line=STYLE_LINE,
        data={"perturbations/data/hesitation.toml": STYLE_RULES},
        others={
            "evaluators/prompts/rewrite_hesitation.txt": behind(STYLE_PROMPT),
            "evaluators/simulated/profile.toml": behind(STYLE_PROFILE),
            "docs/rows.md": before_reach(SECTION.format(row="hesitation")),
        },
        most=4,
    ),
    Walk(
        row="agent_age",
        line=REMARK_LINE,
        data={"perturbations/data/age.csv": REMARKS},
        others={
            "evaluators/simulated/profile.toml": behind(REMARK_PROFILE),
            "docs/rows.md": before_reach(SECTION.format(row="agent_age")),
        },
        most=5,
    ),
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / "house" / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "house" / "tests").mkdir()
    shutil.copy(ROOT / FACTS, tmp_path / "house" / FACTS)
    return tmp_path / "house"


def run(copy: Path, *arguments: str, code: int = 0) -> str:
    """What a module of the copy prints."""
    command = [sys.executable, "-B", "-m", *arguments]
    ran = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, timeout=240)
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran.stdout


def lacks(copy: Path, row: str, *, code: int) -> str:
    """What the test of the rows' facts says about the row."""
    return run(copy, "pytest", "-q", "-p", "no:cacheprovider", str(FACTS), "-k", row, code=code)


def touched(copy: Path) -> set[str]:
    """The files that were written anew, by their place in the repository."""
    places = (file.relative_to(copy) for file in copy.rglob("*") if file.is_file())
    return {
        str(place)
        for place in places
        if not (ROOT / place).is_file() or (copy / place).read_bytes() != (ROOT / place).read_bytes()
    }


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.row)
def test_a_row_is_made_checked_and_measured_after_its_walk(copy: Path, walk: Walk) -> None:
    table = copy / "perturbations" / "rows.py"
    table.write_text(re.sub(r"\n\)\n\nROWS", f"{walk.line.rstrip()}\n)\n\nROWS", table.read_text()))
    missing = lacks(copy, walk.row, code=1)
    assert [name for name in (*walk.data, *walk.others) if name not in missing] == []
    for name, text in walk.data.items():
        (copy / name).write_text(text)
    for name, change in walk.others.items():
        file = copy / name
        file.write_text(change(file.read_text() if file.is_file() else ""))
    run(copy, "benchmarks.rows_document")
    lacks(copy, walk.row, code=0)
    assert touched(copy) - set(walk.data) == {"perturbations/rows.py", *walk.others}
    assert len(walk.others) + 1 <= walk.most

    variants = perturbed(copy, walk.row)
    accepted = {variant["attribute"] for variant in variants if variant["status"] == "accepted"}
    originals = {variant["attribute"] for variant in variants if variant["status"] == "original"}
    assert accepted
    assert originals
    assert len(accepted | originals) == len(variants)

    figures = measured(copy, walk.row, accepted)
    assert figures["transcripts"] == 20
    assert figures["flips"] > 0
    assert figures["comparisons"] > figures["flips"]


def perturbed(copy: Path, row: str) -> list[dict[str, str]]:
    call = make_transcript(
        "c-1",
        ("agent", "Um, hello, this is Michael. I can help you."),
        ("customer", "I lost my card."),
        ("agent", "I will block it."),
        ("customer", "Thank you."),
    )
    (copy / "calls.jsonl").write_text(call.model_dump_json() + "\n")
    printed = run(copy, "streams", "perturb", "calls.jsonl", "--row", row)
    return [json.loads(line) for line in printed.splitlines()]


def measured(copy: Path, row: str, attributes: set[str]) -> dict[str, int]:
    """The row's figures, from evaluations in which each attribute is answered otherwise than the original."""
    lines = []
    for number in range(20):
        for attribute in ("original", *sorted(attributes)):
            answers = [
                {"question_id": "q1", "answer": "yes", "confidence": 80},
                {"question_id": "q2", "answer": "yes" if attribute == "original" else "no", "confidence": 80},
            ]
            arm = {"row": "robustness" if attribute == "original" else row, "attribute": attribute}
            lines.append(json.dumps({"transcript_id": f"c-{number}", **arm, "outcome": "ok", "answers": answers}))
    (copy / "evaluations.jsonl").write_text("\n".join(lines))
    printed = run(copy, "streams", "measure", "evaluations.jsonl", "--json")
    figures: dict[str, int] = json.loads(printed)["rows"][row]
    return figures
