"""The one small protocol between the evaluator and whatever answers: a request in, a completion out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from evaluators.evaluation import Usage
from evaluators.price import CHARACTERS_PER_TOKEN
from evaluators.questions.prompt import HeaderPosition
from perturbations.records.transcript import Question, Turn

OutputMode = Literal["schema", "tool", "prompt"]
"""The ladder of output modes: native JSON schema, forced tool, JSON asked for in the prompt alone."""

LADDER: tuple[OutputMode, ...] = ("schema", "tool", "prompt")

StopReason = Literal["stop", "length", "refused", "other"]
"""Why the model stopped: by itself, at the output limit, refused or filtered, anything else or unknown."""

MOST_CHARACTERS_PER_TOKEN = 12
"""More than this no tokenizer packs into one token of running text: an input counted shorter was cut."""

CHECKED_FROM_CHARACTERS = 2_000
"""Shorter inputs aren't checked: a few long words would be enough to look like a cut."""


@dataclass(frozen=True)
class JudgeRequest:
    """One call of the judge.

    `schema` is the JSON schema of the reply, used where the rung allows. `parameters` holds those that are set
    (`temperature`, `top_p`, `effort`); what is not in it is left out. `mode` is the highest rung to try.
    `idempotency_key` stays the same on a retry of the same request. `questions`, `turns`, `header` and its
    position are what the prompts were made of, for a judge that makes its own.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    idempotency_key: str
    max_output_tokens: int
    parameters: Mapping[str, float | str] = field(default_factory=dict)
    mode: OutputMode = "schema"
    questions: tuple[Question, ...] = ()
    turns: tuple[Turn, ...] = ()
    header: str | None = None
    header_position: HeaderPosition = "before"

    @property
    def characters(self) -> int:
        """How many characters of text the judge has to read."""
        return len(self.system) + len(self.user)

    @property
    def tokens(self) -> int:
        """About how many tokens the call takes at most."""
        return self.characters // CHARACTERS_PER_TOKEN + self.max_output_tokens


@dataclass(frozen=True)
class Completion:
    """What came back, whatever the provider.

    `parameters` are those that the request in the end carried, with the rung as `mode`: a provider may refuse some.
    `served_model` is the model that the provider says answered. `requests` counts the requests this took, with those
    that taught which parameters the model refuses.
    """

    text: str
    stop: StopReason
    served_model: str | None = None
    refused: bool = False
    usage: Usage = field(default_factory=Usage)
    request_id: str | None = None
    characters_sent: int = 0
    parameters: Mapping[str, float | str] = field(default_factory=dict)
    requests: int = 1

    @property
    def input_was_cut(self) -> bool:
        """Whether the provider counted fewer input tokens than the text sent can have.

        Some endpoints cut a long prompt silently: the judge then never saw the start of the transcript, and an arm
        looks fair because its change was cut away.
        """
        counted, sent = self.usage.input_tokens, self.characters_sent
        return counted is not None and sent > CHECKED_FROM_CHARACTERS and counted * MOST_CHARACTERS_PER_TOKEN < sent


class Provider(Protocol):
    """Translation to one provider's API and back, nothing else: no retries, no parsing of answers."""

    async def complete(self, request: JudgeRequest) -> Completion:
        """One completion; raises ProviderError where there is none. A refusal is a completion."""
        ...

    async def aclose(self) -> None:
        """Releases the connections."""
        ...
