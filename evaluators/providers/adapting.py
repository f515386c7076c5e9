"""Asking in the way that the model takes: a refusal that names what it refuses is answered by asking without it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evaluators.errors import BadParameter, ProviderError
from evaluators.provider import JudgeRequest, OutputMode
from evaluators.providers.capability import Capabilities

Result = TypeVar("Result")

TOOL_NAME = "report_assessment"
"""What the schema, or the tool that the model is made to call, is called."""


@dataclass(frozen=True)
class Adaptation:
    """How a request is put, by what is known when it is sent.

    `tuned` are the parameters that go along, `limit_field` the name under which the output limit goes.
    """

    mode: OutputMode
    tuned: Mapping[str, float | str]
    limit_field: str | None

    @property
    def effective(self) -> dict[str, float | str]:
        """What decides how the model answers. The limit is no part of it: it only decides whether it may finish."""
        return {**self.tuned, "mode": self.mode}


class Rejected(Exception):
    """A 400 that may name what it refuses. `error` is what it comes to where nothing is learned from it.

    `named` is the parameter that the response gives in a field of its own; an adapter may also put our own word there
    (`temperature`, `json_schema`) for one that its provider spells in its own way. `words` is the provider's message.
    """

    def __init__(self, error: ProviderError, *, named: str | None, words: str) -> None:
        super().__init__(str(error))
        self.error = error
        self.named = named
        self.words = words


async def send_adapting(
    request: JudgeRequest,
    capabilities: Capabilities,
    limit_fields: Sequence[str],
    send: Callable[[Adaptation], Awaitable[Result]],
) -> tuple[Result, Adaptation, int]:
    """What `send` gives, the adaptation that worked, and the number of requests it took.

    `send` raises Rejected for what may be learned from; any ProviderError goes through, with its requests counted.
    """
    requests = 0
    while True:
        adaptation = _adaptation(request, capabilities, limit_fields)
        requests += 1
        try:
            return await send(adaptation), adaptation, requests
        except Rejected as rejected:
            # Where a message names several, top_p goes before temperature: the two together are what is refused.
            sent = sorted(adaptation.tuned, reverse=True)
            sent += [adaptation.limit_field] if adaptation.limit_field else []
            learned = capabilities.learn(
                named=rejected.named, message=rejected.words, sent=sent, mode=adaptation.mode
            )
            if learned is None:
                error = _named_error(rejected)
                error.requests = requests
                raise error from None
        except ProviderError as error:
            error.requests = requests
            raise


def _adaptation(request: JudgeRequest, capabilities: Capabilities, limit_fields: Sequence[str]) -> Adaptation:
    refused = capabilities.refused
    return Adaptation(
        mode=capabilities.mode(request.mode),
        tuned={name: value for name, value in request.parameters.items() if name not in refused},
        limit_field=next((name for name in limit_fields if name not in refused), None),
    )


def _named_error(rejected: Rejected) -> ProviderError:
    error, name = rejected.error, rejected.named
    if error.reason != "bad_request" or name is None or not name.isidentifier():
        return error
    return BadParameter(f"{error} (it names the parameter {name})", name=name, status=error.status)
