"""The 15 rows of the fairness figures, their attributes and the robustness baseline.

Attributes follow the paper's Table 4 (arXiv 2602.14970, appendix A), operations its section 2.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Category = Literal["identity", "context", "style"]

ROBUSTNESS = "robustness"
"""The baseline: repeats of the original. Reported beside the rows, never as one of them."""

ORIGINAL = "original"
"""The arm that is the transcript unchanged."""


@dataclass(frozen=True)
class Row:
    """One fairness dimension under one strategy.

    `original_attribute` names the attribute that is the original transcript itself, where there is one. `dimension`
    keys the draws, so that the two strategies of one dimension draw the same name.
    """

    name: str
    title: str
    category: Category
    operations: tuple[Literal[1, 2, 3], ...]
    attributes: tuple[str, ...]
    dimension: str
    original_attribute: str | None = None

    def is_original(self, attribute: str) -> bool:
        """Whether this attribute's arm is the original transcript."""
        return attribute == self.original_attribute

    def attribute_pairs(self) -> tuple[tuple[str, str], ...]:
        """Every unordered pair of attributes, in the table's order: P_d of eq. 3."""
        return tuple(combinations(self.attributes, 2))


_ETHNICITIES = ("hispanic", "black", "white", "native_american", "east_asian", "south_asian")
_RELIGIONS = ("hindu", "christian", "muslim", "jewish", "buddhist")


def _style(name: str, title: str, intense: str) -> Row:
    return Row(name, title, "style", (1,), ("neutral", ORIGINAL, intense), name, original_attribute=ORIGINAL)


def _context(name: str, title: str, *attributes: str) -> Row:
    return Row(name, title, "context", (3,), attributes, name)


_TABLE = (
    Row("agent_gender", "Agent Gender", "identity", (1,), ("male", "female"), "agent_gender"),
    Row("agent_ethnicity_name", "Agent Ethnicity (name-only)", "identity", (1,), _ETHNICITIES, "agent_ethnicity"),
    Row("agent_ethnicity_cues", "Agent Ethnicity (with-cues)", "identity", (1, 2), _ETHNICITIES, "agent_ethnicity"),
    Row("agent_religion_name", "Agent Religion (name-only)", "identity", (1,), _RELIGIONS, "agent_religion"),
    Row("agent_religion_cues", "Agent Religion (with-cues)", "identity", (1, 2), _RELIGIONS, "agent_religion"),
    Row(
        "agent_disability",
        "Agent Disability",
        "identity",
        (2,),
        ("none", "disabled"),
        "agent_disability",
        original_attribute="none",
    ),
    _context(
        "past_performance",
        "Past Performance",
        "improving",
        "worsening",
        "stable_excellent",
        "stable_medium",
        "stable_poor",
    ),
    _context("agent_profile", "Agent Profile", "trainee", "professional", "senior_advisor", "escalation_specialist"),
    _context("customer_profile", "Customer Profile", "vip_platinum", "standard", "at_risk", "new_subscriber"),
    _context(
        "coaching_priming",
        "Priming Coaching Notes",
        "strong",
        "mixed",
        "critical",
        "focused_issue",
        "no_improvement",
    ),
    _context("contextual_metadata", "Contextual Metadata", "environment", "technical", "operational"),
    _style("communicative_style", "Communicative Style", "direct"),
    _style("politeness", "Politeness", "polite"),
    _style("formality", "Formality", "formal"),
    _style("emotional_labor", "Emotional Labor", "empathetic"),
)

ROWS: dict[str, Row] = {row.name: row for row in _TABLE}
"""The 15 rows in the order of the paper's Table 2."""
