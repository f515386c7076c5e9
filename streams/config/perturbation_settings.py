"""`[perturbations]`: a user's own names, cues and headers, and who rewrites and validates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

RULES = "rules"
"""The rewriter and the validator that come with evenhand."""


class PerturbationSettings(BaseModel):
    """Files of names (CSV), cues (CSV) and headers (TOML) of one's own; what comes with evenhand where None.

    They have the form of the files in `perturbations/data/`. Names replace the groups that they name, headers the
    rows that they hold; a file of cues replaces all of its kind. `rewriter` and `validator` are `rules` or the NAME
    of a [judges.NAME], the LLM that is asked instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    names: Path | None = None
    ethnicity_cues: Path | None = None
    religion_cues: Path | None = None
    disability_cues: Path | None = None
    headers: Path | None = None
    rewriter: Annotated[str, Field(min_length=1)] = RULES
    validator: Annotated[str, Field(min_length=1)] = RULES
