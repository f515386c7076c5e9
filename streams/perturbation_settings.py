"""`[perturbations]`: a user's own names, cues and headers."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict


class PerturbationSettings(BaseModel):
    """Files of names (CSV), cues (CSV) and headers (TOML) of one's own; what comes with evenhand where None.

    They have the form of the files in `perturbations/data/`. Names replace the groups that they name, headers the
    rows that they hold; a file of cues replaces all of its kind.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    names: Path | None = None
    ethnicity_cues: Path | None = None
    religion_cues: Path | None = None
    disability_cues: Path | None = None
    headers: Path | None = None
