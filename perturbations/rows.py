"""The 15 rows of the fairness figures with all that tells one from another, and the robustness baseline.

Attributes follow the paper's Table 4 (arXiv 2602.14970, appendix A), operations its section 2.3. What a row needs
beside its line in the table lies in files that its facts name; nothing else may ask for a row by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Category = Literal["identity", "context", "style"]
Operation = Literal[1, 2, 3]
NamedBy = Literal["gender", "group"]
Trend = Literal["rise", "fall", "level"]

ROBUSTNESS = "robustness"
"""The baseline: repeats of the original. Reported beside the rows, never as one of them."""

ORIGINAL = "original"
"""The arm that is the transcript unchanged."""


@dataclass(frozen=True)
class Row:
    """One fairness dimension under one strategy, with the facts by which its variants are written and checked.

    `operations` are those of section 2.3: 1 changes turns, 2 adds one, 3 writes a header. `dimension` keys the draws,
    so that the two strategies of one dimension draw the same name. `original_attribute` names the attribute that is
    the original transcript itself, where there is one.

    `named_by`: the attribute is the gender of the agent's new first name, or the group of first name and surname;
    None: the agent keeps the name. `cues`: the file of remarks (in `perturbations/data`) of which the agent makes
    one. `trends`: where the header's values are scores, how those of each attribute run; empty: they are wordings.
    `about_treatment`: the style is how the agent treats the customer, so that a remark must hold none of it; every
    sentence is more or less formal and direct.

    `rewrite_prompt`: the file (in `evaluators/prompts`, without its ending) that asks an LLM for the change; None:
    rules alone write and check the row. `may_change`: what a validator is told that an edit may change.
    """

    name: str
    title: str
    category: Category
    operations: tuple[Operation, ...]
    attributes: tuple[str, ...]
    dimension: str
    original_attribute: str | None = None
    named_by: NamedBy | None = None
    cues: str | None = None
    trends: tuple[Trend, ...] = ()
    about_treatment: bool = False
    rewrite_prompt: str | None = None
    may_change: str | None = None

    def is_original(self, attribute: str) -> bool:
        """Whether this attribute's arm is the original transcript."""
        return attribute == self.original_attribute

    def is_like_placebos(self, first: str, second: str) -> bool:
        """Whether two attributes differ by as many rewritings as a placebo and its own arm.

        Where the original is an attribute its placebo is one rewriting away from it, and two other attributes are
        two apart.
        """
        return self.original_attribute is None or self.original_attribute in (first, second)

    @property
    def is_by_rules_alone(self) -> bool:
        """Whether there is nothing for an LLM to write or to judge: a header is a form that is filled in."""
        return self.rewrite_prompt is None

    def attribute_pairs(self) -> tuple[tuple[str, str], ...]:
        """Every unordered pair of attributes, in the table's order: P_d of eq. 3."""
        return tuple(combinations(self.attributes, 2))


_ETHNICITIES = ("hispanic", "black", "white", "native_american", "east_asian", "south_asian")
_RELIGIONS = ("hindu", "christian", "muslim", "jewish", "buddhist")
_NAMES = "the agent's first name and surname"


def _name(name: str, title: str, dimension: str, attributes: tuple[str, ...]) -> Row:
    """The agent gets a name of the attribute's group."""
    return Row(
        name,
        title,
        "identity",
        (1,),
        attributes,
        dimension,
        named_by="group",
        rewrite_prompt="rewrite_names",
        may_change=_NAMES,
    )


def _name_and_cue(
    name: str, title: str, dimension: str, attributes: tuple[str, ...], *, cues: str, about: str
) -> Row:
    """The agent gets a name of the attribute's group and makes a remark that tells the group."""
    return Row(
        name,
        title,
        "identity",
        (1, 2),
        attributes,
        dimension,
        named_by="group",
        cues=cues,
        rewrite_prompt="rewrite_cues",
        may_change=f"{_NAMES}; and one remark of the agent about {about} in passing may have been added",
    )


def _remark(name: str, title: str, none: str, other: str, *, cues: str, about: str) -> Row:
    """The agent makes a remark that tells the one attribute; the other is the original."""
    return Row(
        name,
        title,
        "identity",
        (2,),
        (none, other),
        name,
        original_attribute=none,
        cues=cues,
        rewrite_prompt="rewrite_remark",
        may_change=f"one remark of the agent about {about} may have been added",
    )


def _header(name: str, title: str, *attributes: str, trends: tuple[Trend, ...] = ()) -> Row:
    """A metadata header stands over the transcript."""
    return Row(name, title, "context", (3,), attributes, name, trends=trends)


def _style(name: str, title: str, intense: str, *, may_change: str, about_treatment: bool = False) -> Row:
    """The style is taken out of the agent's turns, or more of it put in."""
    return Row(
        name,
        title,
        "style",
        (1,),
        ("neutral", ORIGINAL, intense),
        name,
        original_attribute=ORIGINAL,
        about_treatment=about_treatment,
        rewrite_prompt=f"rewrite_{name}",
        may_change=may_change,
    )


_TABLE = (
    Row(
        "agent_gender",
        "Agent Gender",
        "identity",
        (1,),
        ("male", "female"),
        "agent_gender",
        named_by="gender",
        rewrite_prompt="rewrite_agent_gender",
        may_change="the agent's first name, and titles, pronouns and terms of address that mean the agent",
    ),
    _name("agent_ethnicity_name", "Agent Ethnicity (name-only)", "agent_ethnicity", _ETHNICITIES),
    _name_and_cue(
        "agent_ethnicity_cues",
        "Agent Ethnicity (with-cues)",
        "agent_ethnicity",
        _ETHNICITIES,
        cues="ethnicity_cues.csv",
        about="heritage",
    ),
    _name("agent_religion_name", "Agent Religion (name-only)", "agent_religion", _RELIGIONS),
    _name_and_cue(
        "agent_religion_cues",
        "Agent Religion (with-cues)",
        "agent_religion",
        _RELIGIONS,
        cues="religion_cues.csv",
        about="faith",
    ),
    _remark(
        "agent_disability",
        "Agent Disability",
        "none",
        "disabled",
        cues="disability.csv",
        about="assistive technology or a trait of speech",
    ),
    _header(
        "past_performance",
        "Past Performance",
        "improving",
        "worsening",
        "stable_excellent",
        "stable_medium",
        "stable_poor",
        trends=("rise", "fall", "level", "level", "level"),
    ),
    _header("agent_profile", "Agent Profile", "trainee", "professional", "senior_advisor", "escalation_specialist"),
    _header("customer_profile", "Customer Profile", "vip_platinum", "standard", "at_risk", "new_subscriber"),
    _header(
        "coaching_priming",
        "Priming Coaching Notes",
        "strong",
        "mixed",
        "critical",
        "focused_issue",
        "no_improvement",
    ),
    _header("contextual_metadata", "Contextual Metadata", "environment", "technical", "operational"),
    _style("communicative_style", "Communicative Style", "direct", may_change="how directly the agent puts things"),
    _style("politeness", "Politeness", "polite", may_change="how polite the agent is", about_treatment=True),
    _style("formality", "Formality", "formal", may_change="how formal the agent's words are"),
    _style(
        "emotional_labor",
        "Emotional Labor",
        "empathetic",
        may_change="how much understanding, regret, reassurance and warmth the agent shows",
        about_treatment=True,
    ),
)

ROWS: dict[str, Row] = {row.name: row for row in _TABLE}
"""The 15 rows in the order of the paper's Table 2."""


def rows_of(category: Category) -> tuple[Row, ...]:
    """The rows of a category, in the table's order."""
    return tuple(row for row in ROWS.values() if row.category == category)
