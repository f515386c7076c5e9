"""`evenhand check`."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import click

from evaluators.calling.judge_client import make_judge
from evaluators.errors import EvaluatorError, Unreachable
from evaluators.judges.models import lifecycle_warning
from metrics.clickhouse.client import connect
from metrics.clickhouse.dsn import Dsn
from metrics.clickhouse.errors import StoreError
from metrics.clickhouse.migrate import pending_migrations
from streams.cli.options import with_settings
from streams.config.anchor_file import anchors_of
from streams.config.errors import SettingsError
from streams.config.form import rubric_of
from streams.config.settings import Settings, idle_variables
from streams.config.variant_writing import variant_maker
from streams.kafka.topic_admin import TopicsError, check_topics

PATIENCE_SECONDS = 16.0
"""How long one part may take to answer; a Kafka client gives up by itself after 15 s."""


@dataclass(frozen=True)
class Finding:
    """One part and whether it can be used; `advice` says what is wrong, or will be, and what to do."""

    part: str
    ok: bool
    advice: str = ""

    @property
    def mark(self) -> str:
        """The word in front of its line."""
        return "WRONG" if not self.ok else "WARN" if self.advice else "ok"


@click.command(epilog="Examples: evenhand check;  evenhand check --config evenhand.toml --json")
@click.option("--json", "as_json", is_flag=True, help="Print the findings and the configuration as JSON.")
@with_settings
def check(settings: Settings, *, as_json: bool) -> None:
    """Print the effective configuration without its secrets, and tell which part is unreachable or wrong.

    Exit code 1 where a part can't be used; a warning, as of a model near its end of life, is none.
    """
    findings = asyncio.run(_findings(settings, datetime.now(UTC).date()))
    effective = _without_secrets(settings)
    if as_json:
        listed = [{"part": finding.part, "ok": finding.ok, "advice": finding.advice} for finding in findings]
        click.echo(json.dumps({"findings": listed, "configuration": effective}, indent=2))
    else:
        click.echo(json.dumps(effective, indent=2))
        for finding in findings:
            click.echo(f"{finding.mark:<6} {finding.part}" + (f": {finding.advice}" if finding.advice else ""))
    if not all(finding.ok for finding in findings):
        raise click.exceptions.Exit(1)


async def _findings(settings: Settings, today: date) -> list[Finding]:
    async def store() -> None:
        async with await connect(settings.clickhouse.dsn.get_secret_value()) as client:
            if pending := await pending_migrations(client):
                raise StoreError(f"the database lacks {', '.join(pending)}: run `evenhand migrate`")

    async def rubric() -> None:
        rubric_of(settings)

    async def perturbations() -> None:
        async with variant_maker(settings, os.environ):
            pass

    async def anchors() -> None:
        anchors_of(settings)

    async def default_judge() -> None:
        settings.judge_named(None)

    parts: list[tuple[str, Callable[[], Awaitable[str | None]]]] = [
        ("kafka", lambda: check_topics(settings.kafka)),
        ("clickhouse", store),
        ("rubric", rubric),
        ("perturbations", perturbations),
        ("anchors", anchors),
        ("default_judge", default_judge),
        *((f"judges.{name}", _judge_check(settings, name, today)) for name in settings.judges),
    ]
    findings = await asyncio.gather(*(_finding(part, looks) for part, looks in parts))
    idle = idle_variables(settings, os.environ)
    return [*findings, *(Finding(name, ok=True, advice="this variable sets no key") for name in idle)]


async def _finding(part: str, looks: Callable[[], Awaitable[str | None]]) -> Finding:
    try:
        warning = await asyncio.wait_for(looks(), PATIENCE_SECONDS)
    except TimeoutError:
        return Finding(
            part, ok=False, advice=f"no answer within {PATIENCE_SECONDS:g} s: is it what should run there?"
        )
    except (EvaluatorError, SettingsError, StoreError, TopicsError) as error:
        return Finding(part, ok=False, advice=str(error))
    return Finding(part, ok=True, advice=warning or "")


def _judge_check(settings: Settings, name: str, today: date) -> Callable[[], Awaitable[str | None]]:
    async def looks() -> str | None:
        config = settings.judges[name]
        key = f"judges.{name}.base_url"
        place = None if config.base_url is None else _place(config.base_url, key)
        await make_judge(config, os.environ.get(config.api_key_env)).aclose()
        if place is not None:
            await _is_reached(*place, key)
        return lifecycle_warning(config, today)

    return looks


def _place(address: str, key: str) -> tuple[str, int] | None:
    """Host and port of a judge; None where a proxy stands between, so that we needn't reach it ourselves."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise SettingsError(f"{key}: the host or port can't be read") from None
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise SettingsError(f"{key}: must begin with http:// or https:// and a host")
    if parts.scheme in getproxies() and not proxy_bypass(parts.hostname):
        return None
    return parts.hostname, port or (443 if parts.scheme == "https" else 80)


async def _is_reached(host: str, port: int, key: str) -> None:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError as error:
        raise Unreachable(f"nobody answers at {host}:{port} ({error.strerror}): start it, or set {key}") from None
    writer.close()


def _without_secrets(settings: Settings) -> dict[str, object]:
    plain: dict[str, Any] = settings.model_dump(mode="json", exclude_none=True)
    plain["clickhouse"]["dsn"] = str(Dsn(settings.clickhouse.dsn.get_secret_value()))
    return plain
