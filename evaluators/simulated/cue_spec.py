"""By what a judge can tell the arms of a row apart: the cues that a profile may name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SPEC = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)


class HeaderLine(BaseModel):
    """A line of the metadata header that begins with one of the prefixes; the state is the line."""

    model_config = SPEC

    kind: Literal["header_line"]
    prefixes: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


class AgentPhrase(BaseModel):
    """A phrase in the agent's turns: of the profile itself, or of one of the rows' own lists of what they insert."""

    model_config = SPEC

    kind: Literal["agent_phrase"]
    phrases: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


class MarkerCount(BaseModel):
    """How many markers of a style row the agent's turns hold; the state is their number, 0 too."""

    model_config = SPEC

    kind: Literal["marker_count"]
    style: Annotated[str, Field(min_length=1)]


Cue = Annotated[HeaderLine | AgentPhrase | MarkerCount, Field(discriminator="kind")]
