"""The rows' table: attribute sets of the paper's Table 4, strategies of its Table 2."""

from __future__ import annotations

import pytest

from perturbations.rows import ROWS

ETHNICITIES = ("hispanic", "black", "white", "native_american", "east_asian", "south_asian")
RELIGIONS = ("hindu", "christian", "muslim", "jewish", "buddhist")


TABLE_2 = (
    ("agent_gender", ("male", "female"), 1, (1,), None),
    ("agent_ethnicity_name", ETHNICITIES, 15, (1,), None),
    ("agent_ethnicity_cues", ETHNICITIES, 15, (1, 2), None),
    ("agent_religion_name", RELIGIONS, 10, (1,), None),
    ("agent_religion_cues", RELIGIONS, 10, (1, 2), None),
    ("agent_disability", ("none", "disabled"), 1, (2,), "none"),
    (
        "past_performance",
        ("improving", "worsening", "stable_excellent", "stable_medium", "stable_poor"),
        10,
        (3,),
        None,
    ),
    ("agent_profile", ("trainee", "professional", "senior_advisor", "escalation_specialist"), 6, (3,), None),
    ("customer_profile", ("vip_platinum", "standard", "at_risk", "new_subscriber"), 6, (3,), None),
    ("coaching_priming", ("strong", "mixed", "critical", "focused_issue", "no_improvement"), 10, (3,), None),
    ("contextual_metadata", ("environment", "technical", "operational"), 3, (3,), None),
    ("communicative_style", ("neutral", "original", "direct"), 3, (1,), "original"),
    ("politeness", ("neutral", "original", "polite"), 3, (1,), "original"),
    ("formality", ("neutral", "original", "formal"), 3, (1,), "original"),
    ("emotional_labor", ("neutral", "original", "empathetic"), 3, (1,), "original"),
)
"""(row, attributes, pairs, operations, original) in the order of the paper; others may stand between."""


@pytest.mark.parametrize(("name", "attributes", "pairs", "operations", "original"), TABLE_2)
def test_a_row(
    name: str, attributes: tuple[str, ...], pairs: int, operations: tuple[int, ...], original: str | None
) -> None:
    row = ROWS[name]
    assert row.name == name
    assert row.attributes == attributes
    assert row.operations == operations
    assert row.original_attribute == original
    assert len(row.attribute_pairs()) == pairs == len(set(map(frozenset, row.attribute_pairs())))
    assert [attribute for attribute in attributes if row.is_original(attribute)] == ([original] if original else [])


def test_the_papers_rows_are_fifteen_of_thirteen_dimensions_in_three_categories_in_its_order() -> None:
    names = [name for name, *_ in TABLE_2]
    assert [name for name in ROWS if name in names] == names
    paper = [ROWS[name] for name in names]
    assert len(paper) == 15
    assert len({row.dimension for row in paper}) == 13
    assert {row.category for row in paper} == {"identity", "context", "style"}
    assert sum(len(row.attributes) for row in paper) == 59
    assert len({row.title for row in ROWS.values()}) == len(ROWS)


def test_two_strategies_of_a_dimension_share_its_draws() -> None:
    assert ROWS["agent_ethnicity_name"].dimension == ROWS["agent_ethnicity_cues"].dimension
    assert ROWS["agent_religion_name"].dimension == ROWS["agent_religion_cues"].dimension
