"""The writer of each row: the table from which variants are made."""

from __future__ import annotations

from collections.abc import Mapping

from perturbations.context.header_words import HEADER_ROWS, SCORES_ROW
from perturbations.context.header_writer import header_writer
from perturbations.context.past_performance import past_performance_writer
from perturbations.identity.agent_disability import disability_writer
from perturbations.identity.agent_gender import gender_writer
from perturbations.identity.group_row import cues_writer, names_writer
from perturbations.materials import Materials, own_materials
from perturbations.style.restyle import style_writer
from perturbations.style.style_markers import STYLE_ROWS
from perturbations.writer import Writer


def writers_for(materials: Materials) -> Mapping[str, Writer]:
    """A writer for every row, with these names, cues and headers."""
    names = materials.names
    return {
        "agent_gender": gender_writer(names),
        "agent_ethnicity_name": names_writer(names),
        "agent_ethnicity_cues": cues_writer(names, materials.ethnicity_cues),
        "agent_religion_name": names_writer(names),
        "agent_religion_cues": cues_writer(names, materials.religion_cues),
        "agent_disability": disability_writer(materials.disability_cues),
        SCORES_ROW: past_performance_writer(materials.headers[SCORES_ROW]),
        **{row: header_writer(materials.headers[row]) for row in HEADER_ROWS if row != SCORES_ROW},
        **{row: style_writer(row) for row in STYLE_ROWS},
    }


WRITERS = writers_for(own_materials())
"""The writers with what comes with this package."""
