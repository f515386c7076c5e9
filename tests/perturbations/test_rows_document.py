"""docs/rows.md is what the rules make of the packaged dialogues, and the rows reach what they should."""

from __future__ import annotations

import pytest

from benchmarks.row_coverage import Reach, reaches, states_its_agent
from benchmarks.rows_document import DOCUMENT, packaged_document, refreshed
from perturbations.rows import ROWS
from tests.builders import make_transcript
from tests.real_transcripts import real_transcripts


async def test_the_page_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == await packaged_document(), "run python -m benchmarks.rows_document"


def test_the_page_has_every_row_and_attribute() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    for name, row in ROWS.items():
        section = page.split(f"## `{name}`")[1].split("\n## ")[0]
        assert all(f"| `{attribute}` | " in section for attribute in row.attributes)
        assert "Reach on the packaged dialogues: " in section
        assert "\n- " in section


async def test_every_row_reaches_what_it_should_on_the_packaged_dialogues() -> None:
    every_reach = await reaches(real_transcripts(), seed=7)
    assert [each for each in every_reach if not each.is_enough] == []
    assert all(each.transcripts >= 5 for each in every_reach)
    assert {each.row for each in every_reach} == set(ROWS)


async def test_a_row_without_a_section_is_told() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    with pytest.raises(LookupError, match=r"emotional_labor$"):
        await refreshed(page.replace("## `emotional_labor`", "## Emotional labour"), [])


@pytest.mark.parametrize(
    ("speaker", "text", "name", "named"),
    [
        ("agent", "hello my name is mary", None, True),
        ("agent", "this is Miss Jane", None, True),
        ("agent", "my name is [PII]", None, False),
        ("agent", "This is Acme.", None, False),
        ("customer", "my name is mary", None, False),
        ("agent", "Hi, Michael here", "Michael Reyes", True),
        ("customer", "Hi Michael", "Michael Reyes", False),
    ],
)
def test_whose_agent_is_named(speaker: str, text: str, name: str | None, named: bool) -> None:
    transcript = make_transcript("c-1", (speaker, text), agent={"name": name})
    assert states_its_agent(transcript) is named


def test_a_share_of_no_transcripts_is_none() -> None:
    nothing = Reach("politeness", "neutral", "all", 0, 0, 1.0)
    assert nothing.share is None
    assert nothing.is_enough
    assert not Reach("politeness", "neutral", "all", 10, 9, 1.0).is_enough
