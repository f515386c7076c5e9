"""Every row has all that its facts call for, in every package: this says what a new row still lacks, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from evaluators.simulated.cue_spec import AgentNameCue, AgentPhrase, HeaderLine, MarkerCount
from evaluators.simulated.profile import default_profile
from perturbations.identity.names import DIMENSION_GROUPS
from perturbations.materials import own_materials
from perturbations.row_writers import RuleWriter
from perturbations.rows import ORIGINAL, ROWS, Row, rows_of
from perturbations.style.style_rules import NEUTRAL, style_rules

DOCUMENT = Path(__file__).parents[1] / "docs" / "rows.md"
PROFILE = "evaluators/simulated/profile.toml"


def wrong_facts(row: Row) -> Iterator[str]:
    """Facts that don't go together."""
    if len(set(row.attributes)) < 2 or len(set(row.attributes)) != len(row.attributes):
        yield "attributes: two or more, each once"
    if row.original_attribute is not None and row.original_attribute not in row.attributes:
        yield f"original_attribute: {row.original_attribute} is none of the attributes"
    if any(other.title == row.title for other in ROWS.values() if other is not row):
        yield f"title: {row.title} is another row's"
    if any(other.attributes != row.attributes for other in ROWS.values() if other.dimension == row.dimension):
        yield f"attributes: two rows of {row.dimension} have the same"
    if (row.rewrite_prompt is None) != (row.may_change is None):
        yield "rewrite_prompt and may_change: both, or neither where rules alone write"
    operations = {
        "identity": (*((1,) if row.named_by else ()), *((2,) if row.cues else ())),
        "context": (3,),
        "style": (1,),
    }[row.category]
    if row.operations != operations or not operations:
        yield f"operations: {row.operations}, but named_by, cues and category call for {operations}"
    if row.category != "identity" and (row.named_by or row.cues):
        yield "named_by and cues: for identity rows alone"
    if row.trends and (row.category != "context" or len(row.trends) != len(row.attributes)):
        yield "trends: for a header of scores, one for each attribute"
    if row.about_treatment and row.category != "style":
        yield "about_treatment: for style rows alone"
    if row.category == "style" and row.attributes[:2] != (NEUTRAL, ORIGINAL):
        yield f"attributes: a style row begins with {NEUTRAL} and {ORIGINAL}"
    if (row.category == "context") != row.is_by_rules_alone:
        yield "rewrite_prompt: headers have none, all other rows have one"


def missing_files(row: Row) -> Iterator[str]:
    """What the facts name and isn't there, or lacks something."""
    data = files("perturbations").joinpath("data")
    needed = {"style": [f"{row.name}.toml"], "context": ["headers.toml"], "identity": [row.cues] if row.cues else []}
    for name in needed[row.category]:
        if not data.joinpath(name).is_file():
            yield f"perturbations/data/{name}: missing"
    if row.category == "context" and row.name not in data.joinpath("headers.toml").read_text(encoding="utf-8"):
        yield f"perturbations/data/headers.toml: the table [{row.name}] is missing"
    if row.named_by == "group" and DIMENSION_GROUPS.get(row.dimension) != row.attributes:
        yield f"perturbations/data/names.csv: needs names for {row.attributes}"
    if row.rewrite_prompt is not None:
        prompt = files("evaluators").joinpath("prompts", f"{row.rewrite_prompt}.txt")
        if not prompt.is_file():
            yield f"evaluators/prompts/{row.rewrite_prompt}.txt: missing; it asks an LLM for the change"
        else:
            yield from wrong_places(row, prompt.read_text(encoding="utf-8"))


def wrong_places(row: Row, prompt: str) -> Iterator[str]:
    """What the prompt asks for that isn't drawn, and the other way round."""
    asked = set(re.findall(r"\{(\w+)\}", prompt))
    drawn = {
        "attribute": row.category == "style" or row.named_by == "gender",
        "first_name": row.named_by is not None,
        "surname": row.named_by == "group",
        "remark": row.cues is not None,
    }
    wanted = {name for name, is_drawn in drawn.items() if is_drawn}
    if asked != wanted:
        yield f"evaluators/prompts/{row.rewrite_prompt}.txt: has {sorted(asked)}, the row draws {sorted(wanted)}"
    for attribute in row.attributes if row.category == "style" else ():
        if attribute != ORIGINAL and f"\n- {attribute}: " not in prompt:
            yield f'evaluators/prompts/{row.rewrite_prompt}.txt: the line "- {attribute}: ..." is missing'


def missing_profile(row: Row) -> Iterator[str]:
    """What the demo's judge lacks to react to the row."""
    profile = default_profile().rows.get(row.name)
    if profile is None:
        yield f"{PROFILE}: the table [rows.{row.name}] is missing"
        return
    match profile.cue:
        case MarkerCount(style=style):
            fits = row.category == "style" and style == row.name
        case HeaderLine():
            fits = row.category == "context"
        case AgentPhrase(file=file):
            fits = row.cues is not None and file == row.cues
        case AgentNameCue():
            fits = row.named_by is not None
    if not fits:
        yield f"{PROFILE}: rows.{row.name}.cue is {profile.cue!r}, which the row doesn't write"


def missing_section(row: Row) -> Iterator[str]:
    """What docs/rows.md lacks."""
    page = DOCUMENT.read_text(encoding="utf-8")
    _, heading, rest = page.partition(f"## `{row.name}`\n")
    if not heading:
        yield f"docs/rows.md: the section {row.name} is missing"
    elif "\n- " not in rest.partition("\n## ")[0]:
        yield f"docs/rows.md: the section {row.name} has no list of limits"


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_nothing_of_a_row_is_missing(row: Row) -> None:
    lacks = [*wrong_facts(row), *missing_files(row), *missing_profile(row), *missing_section(row)]
    assert lacks == [], f"{row.name} lacks:\n" + "\n".join(lacks)


@cache
def writer() -> RuleWriter:
    return RuleWriter(own_materials())


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_written_by_a_rule(name: str) -> None:
    assert name in writer().by_row


@pytest.mark.parametrize("row", rows_of("style"), ids=lambda row: row.name)
def test_every_style_row_has_markers_of_its_own(row: Row) -> None:
    others = {marker for other in rows_of("style") if other != row for marker in style_rules(other.name).markers}
    assert set(style_rules(row.name).markers) - others
