"""Replies kept on disk, so that a run that is done again asks only what it hasn't asked yet.

The key holds everything that determines a call: the judge's system, where it is reached, both messages, the
parameters, and the evaluation's id with it, which tells repeats, draws and arms apart even where their texts are the
same: an answer is never served twice for two of them, else the judge's own noise would read as 0. The files hold
judge text, so the cache is off unless a folder is configured.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from evaluators.evaluation import Usage
from evaluators.judges.judge_config import JudgeConfig
from evaluators.provider import Completion, JudgeRequest
from perturbations.records.hashing import digest


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    served_model: str | None
    request_id: str | None
    parameters: dict[str, float | str]
    characters_sent: int


class ReplyCache:
    """Good replies under a folder, one file each; safe for several processes on one folder."""

    def __init__(self, folder: Path, config: JudgeConfig) -> None:
        self._folder = folder
        self._judge = (config.system_id, config.base_url)

    def get(self, request: JudgeRequest) -> Completion | None:
        """The completion that this very request got before, at no tokens and no requests; None without one."""
        try:
            kept = _Kept.model_validate_json(self._file(request).read_bytes())
        except (OSError, ValidationError):
            return None
        return Completion(
            text=kept.text,
            stop="stop",
            served_model=kept.served_model,
            usage=Usage(input_tokens=0, cached_tokens=0, output_tokens=0, reasoning_tokens=0),
            request_id=kept.request_id,
            characters_sent=0,
            parameters=kept.parameters,
            requests=0,
        )

    def put(self, request: JudgeRequest, completion: Completion) -> None:
        """Keeps a completion; a folder that can't be written to is only no help."""
        kept = _Kept(
            text=completion.text,
            served_model=completion.served_model,
            request_id=completion.request_id,
            parameters=dict(completion.parameters),
            characters_sent=completion.characters_sent,
        )
        target = self._file(request)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=target.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(kept.model_dump_json())
            Path(name).replace(target)
        except (OSError, UnicodeEncodeError):
            return

    def _file(self, request: JudgeRequest) -> Path:
        settings = [part for pair in sorted(request.parameters.items()) for part in pair]
        key = digest(
            *self._judge,
            request.idempotency_key,
            request.system,
            request.user,
            request.mode,
            request.max_output_tokens,
            *settings,
        )
        return self._folder / key[:2] / f"{key}.json"
