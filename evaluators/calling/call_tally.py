"""What the calls of one evaluation took together, and who answered them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from evaluators.evaluation import Usage
from evaluators.provider import Completion


@dataclass
class CallTally:
    """Counted while the calls run, several of them side by side.

    `requests` are those sent, `latency_seconds` is how long the last one took, without waits. `answered` are the
    completions that were read.
    """

    requests: int = 0
    latency_seconds: float | None = None
    answered: list[Completion] = field(default_factory=list)
    _usage: Usage | None = None

    def count(self, requests: int, seconds: float) -> None:
        """Counts requests that were sent; the last took so long."""
        self.requests += requests
        self.latency_seconds = seconds

    def add_usage(self, usage: Usage) -> None:
        """Adds what a completion took; a figure that any completion doesn't know is unknown."""
        self._usage = usage if self._usage is None else self._usage + usage

    @property
    def usage(self) -> Usage:
        """What all completions took; unknown where there was none."""
        return self._usage or Usage()

    @property
    def served_model(self) -> str | None:
        """The model that answered; calls that different models answered are an evaluation by all of them together."""
        return "+".join(sorted({completion.served_model or "" for completion in self.answered})) or None

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """The parameters that the answered calls in the end carried."""
        return _merged_parameters([completion.parameters for completion in self.answered])

    @property
    def request_ids(self) -> tuple[str, ...]:
        """The provider's own ids of the answered calls, where it gave any."""
        return tuple(completion.request_id for completion in self.answered if completion.request_id is not None)


def _merged_parameters(calls: Sequence[Mapping[str, float | str]]) -> dict[str, JsonValue]:
    """The parameters of several calls: each value once, and as it is where there is only one."""
    values: dict[str, list[float | str]] = {}
    for parameters in calls:
        for name, value in sorted(parameters.items()):
            if value not in values.setdefault(name, []):
                values[name].append(value)
    return {
        name: distinct[0] if len(distinct) == 1 else "+".join(sorted(map(str, distinct)))
        for name, distinct in values.items()
    }
