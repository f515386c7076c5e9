"""The demo's own judges: the simulated one, whose unfairness is planted, and a small real model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp

from evaluators.judges.local_judge import MODEL_NAME
from streams.config.settings import Settings, plain_settings, settings_of
from streams.embedded.children import Children, free_port, python_child

SIMULATED = "simulated"
LOCAL = "local"

LOCAL_DIALOGUES = 24
"""How many of our dialogues the local judge gets: it takes seconds for each evaluation."""

LOCAL_ROW = "agent_gender"
"""The row that the local judge is asked about, where no others are chosen."""

_DATA = "streams.demo"


def is_simulated(judge: str) -> bool:
    """Whether this is the demo's judge whose unfairness is planted."""
    return judge == SIMULATED


def is_local(judge: str, settings: Settings) -> bool:
    """Whether this is the demo's real model; a [judges.local] of the configuration is another."""
    return judge == LOCAL and judge not in settings.judges


async def start_demo_judge(
    children: Children, settings: Settings, judge: str, profile: Path | None
) -> dict[str, dict[str, Any]]:
    """The sections of the configuration that reach the judge, which runs now; nothing for one that is configured."""
    if is_simulated(judge):
        arguments = [] if profile is None else ["--profile", str(profile)]
        url = await _serve(children, arguments, "/healthz")
        return {"judges": {SIMULATED: {"provider": "openai", "model": "simulated-judge", "base_url": url}}}
    if is_local(judge, settings):
        url = await _serve(children, ["--local"], "/health")
        return {"judges": {LOCAL: local_judge(url)}}
    return {}


def local_judge(url: str) -> dict[str, Any]:
    """The [judges.NAME] that asks the local judge."""
    return {
        "provider": "openai",
        "model": MODEL_NAME,
        "base_url": url,
        "temperature": 0.7,
        "coaching_note": "off",
        "concurrency": 2,
        "flags": {"exact_schema": True},
    }


def fit_for_local(settings: Settings) -> Settings:
    """The settings with one row and a short form, where they choose neither themselves."""
    plain = plain_settings(settings)
    plain.setdefault("rubric", str(files(_DATA).joinpath("data/short_rubric.toml")))
    plain["sampling"].setdefault("rows", [LOCAL_ROW])
    return settings_of(plain)


@contextmanager
def our_dialogues(limit: int | None = None) -> Iterator[str]:
    """The path of the dialogues that come with evenhand, of the first `limit` of them where that is given."""
    with as_file(files(_DATA).joinpath("data/transcripts.jsonl")) as whole:
        if limit is None:
            yield str(whole)
            return
        with TemporaryDirectory(prefix="evenhand-demo-") as directory, whole.open(encoding="utf-8") as lines:
            part = Path(directory) / "transcripts.jsonl"
            part.write_text("".join(islice(lines, limit)), encoding="utf-8")
            yield str(part)


async def _serve(children: Children, arguments: list[str], health: str) -> str:
    port = free_port()
    ready = partial(answers, f"http://127.0.0.1:{port}{health}")
    await children.start(python_child("judge", "streams", ["judge", "serve", "--port", str(port), *arguments], ready))
    return f"http://127.0.0.1:{port}/v1"


async def answers(url: str) -> bool:
    """Whether a GET of this URL is answered with 200."""
    try:
        timeout = aiohttp.ClientTimeout(total=2)
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as response:
            return response.status == 200
    except (aiohttp.ClientError, TimeoutError, OSError):
        return False
