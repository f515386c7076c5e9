"""By what a judge can tell the arms of a row apart: the cues that a profile may name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

SPEC = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)


class HeaderLine(BaseModel):
    """A line of the metadata header that begins with one of the prefixes; the state is the line."""

    model_config = SPEC

    kind: Literal["header_line"]
    prefixes: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


class AgentPhrase(BaseModel):
    """A phrase in the agent's turns, in any letter case and with any marks between its words.

    The phrases stand in the cue itself, or in a data file of the perturbations: column `text`, and `group` where
    they tell different groups.
    """

    model_config = SPEC

    kind: Literal["agent_phrase"]
    phrases: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    file: str | None = None

    @model_validator(mode="after")
    def _one_source(self) -> AgentPhrase:
        if bool(self.phrases) == bool(self.file):
            raise ValueError("needs either phrases or a file")
        return self


class AgentNameCue(BaseModel):
    """The name by which the agent is known in the conversation; the state is what the name tells."""

    model_config = SPEC

    kind: Literal["agent_name"]
    tells: Literal["gender", "ethnicity", "religion"]


class MarkerCount(BaseModel):
    """How many markers of a style row the agent's turns hold; the state is their number, 0 too."""

    model_config = SPEC

    kind: Literal["marker_count"]
    style: Annotated[str, Field(min_length=1)]


CueSpec = Annotated[HeaderLine | AgentPhrase | AgentNameCue | MarkerCount, Field(discriminator="kind")]
