"""What can go wrong on the way to an evaluation.

EvaluatorError
├── RubricError            a rubric file that can't be used
├── JudgeConfigError       a judge that can't be built from its configuration
└── ProviderError          the judge gave no completion
    ├── AuthError          401, 403: the key is missing, wrong or not allowed to use the model
    ├── ModelNotFound      404: no such model or path, or a retired model
    ├── BadRequest         another 4xx: the provider refuses the request as such
    │   ├── BadParameter   it names a parameter that can't be left out or replaced
    │   └── TooLong        the request or its output limit is over what the model takes
    ├── QuotaExhausted     429 that no wait of ours will cure: money or a daily quota is used up
    ├── RateLimited        429
    ├── Overloaded         408, 409, 5xx, 529
    ├── BadReply           200 with a body that is not the provider's protocol
    └── Unreachable        no connection, or it broke
        ├── TimedOut       no complete reply in time
        └── OutOfService   not even asked: the judge is out of service for longer than is waited

Messages say what happened, where, and what to do; never prompt text (transcripts are personal data), never keys.
"""

from __future__ import annotations

from typing import ClassVar


class EvaluatorError(Exception):
    """The root of everything this package raises on purpose."""


class RubricError(EvaluatorError):
    """A rubric that can't be used; the message names the file, the question and what is allowed."""

    exit_code: ClassVar[int] = 2


class JudgeConfigError(EvaluatorError):
    """A judge that can't be built; the message names the key and what is allowed."""

    exit_code: ClassVar[int] = 2


class ProviderError(EvaluatorError):
    """The judge gave no completion.

    `reason` is one word of a fixed vocabulary, fit for a metric label. `retryable` says whether the same request may
    succeed later. `status` is the HTTP status, None where there was no response. `retry_after` is the provider's
    Retry-After as it stood in the response: seconds or an HTTP date, unchecked. `requests` counts the requests that
    the failed call sent.
    """

    reason: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(
        self, message: str, *, status: int | None = None, retry_after: str | None = None, requests: int = 1
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.requests = requests


class AuthError(ProviderError):
    """The key is missing, wrong, or not allowed to use the model."""

    reason = "auth"


class ModelNotFound(ProviderError):
    """No such model or path; models are retired."""

    reason = "not_found"


class BadRequest(ProviderError):
    """The provider refuses the request as such; asking again is no use."""

    reason = "bad_request"


class BadParameter(BadRequest):
    """The provider names a parameter that can't be left out or replaced."""

    def __init__(self, message: str, *, name: str, status: int | None = None, requests: int = 1) -> None:
        super().__init__(message, status=status, requests=requests)
        self.name = name


class TooLong(BadRequest):
    """The request, or the output limit it asks for, is over what the model takes."""

    reason = "too_long"


class QuotaExhausted(ProviderError):
    """Money or a long quota is used up: no wait of ours will cure it."""

    reason = "quota"


class RateLimited(ProviderError):
    """Too many requests or tokens for now."""

    reason = "rate_limited"
    retryable = True


class Overloaded(ProviderError):
    """The provider fails on its side, for now."""

    reason = "overloaded"
    retryable = True


class BadReply(ProviderError):
    """A success status with a body that is not the provider's protocol: a proxy's page, an empty or cut body."""

    reason = "bad_reply"
    retryable = True


class Unreachable(ProviderError):
    """No connection, or it broke before the reply was complete."""

    reason = "unreachable"
    retryable = True


class TimedOut(Unreachable):
    """No complete reply within the time limit of one attempt."""

    reason = "timeout"


class OutOfService(Unreachable):
    """Not even asked: the judge has been out of service for longer than an outage is waited out."""

    reason = "outage"
    retryable = False
