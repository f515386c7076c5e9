"""From an HTTP status to the error it means, with a message that says what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evaluators.errors import (
    AuthError,
    BadReply,
    BadRequest,
    ModelNotFound,
    Overloaded,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    TooLong,
)
from evaluators.providers.capability import is_about_a_value

_SHORT_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,59}")

_EXHAUSTED = re.compile(
    r"insufficient_quota|billing|credit balance|out of credits|per day\b|daily (?:limit|quota)|monthly", re.I
)


@dataclass(frozen=True)
class Failure:
    """A response that is no success. `message` is the provider's own: read for its words, never repeated."""

    status: int
    where: str
    model: str
    message: str = ""
    code: str | None = None
    retry_after: str | None = None
    requests: int = 1


def error_for(failure: Failure) -> ProviderError:
    """The error that a status (and, for 400 and 429, the provider's words) means."""
    status, where = failure.status, failure.where
    code = f" ({failure.code})" if failure.code and _SHORT_CODE.fullmatch(failure.code) else ""
    words = f"{failure.code or ''} {failure.message}"
    kind: type[ProviderError]
    if status in (401, 403):
        kind, text = AuthError, f"refused the key{code}; check the judge's api_key_env and what the key may use"
    elif status in (404, 410):
        kind, text = (
            ModelNotFound,
            (
                f"knows no model {failure.model!r} at this address{code}; check the judge's model and base_url, "
                "and whether the model has been retired"
            ),
        )
    elif status == 402 or (status == 429 and _EXHAUSTED.search(words)):
        kind, text = QuotaExhausted, f"says that the quota is used up{code}; raise it or wait for it to renew"
    elif status == 429:
        kind, text = RateLimited, f"limits the rate{code}; lower the judge's concurrency if this goes on"
    elif status == 413 or (status in (400, 422) and is_about_a_value(words)):
        kind, text = TooLong, f"takes no request of this size{code}; lower max_output_tokens or use a larger model"
    elif status in (408, 409, 424, 425) or status >= 500:
        kind, text = Overloaded, f"fails for now{code}"
    elif 400 <= status < 500:
        kind, text = BadRequest, f"refuses the request{code}; check the judge's parameters"
    else:
        kind, text = BadReply, "gave a reply that is no reply of this API; check the judge's base_url"
    return kind(
        f"{where} answered {status}: it {text}",
        status=status,
        retry_after=failure.retry_after,
        requests=failure.requests,
    )


def retry_after_of(headers: Mapping[str, str]) -> str | None:
    """Retry-After as the response gives it; `retry-after-ms`, where there is one, is the more exact."""
    milliseconds = headers.get("retry-after-ms")
    if milliseconds is not None and re.fullmatch(r"\d{1,12}(?:\.\d+)?", milliseconds):
        return str(float(milliseconds) / 1000)
    return headers.get("retry-after")
