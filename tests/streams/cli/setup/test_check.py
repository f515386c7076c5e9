"""`evenhand check` on judges whose models end: a warning, never a failure."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.streams.command import run_here

KEYS = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> Clock:
            assert tz is UTC
            return cls(2026, 11, 30, tzinfo=UTC)

    monkeypatch.setattr("streams.cli.setup.check.datetime", Clock)


@pytest.mark.usefixtures("today")
def test_a_model_near_or_past_its_end_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "evenhand.toml").write_text(
        """
        [kafka]
        bootstrap_servers = "127.0.0.1:9"
        [clickhouse]
        dsn = "clickhouse://default@127.0.0.1:9/default"
        [judges.main]
        model = "gpt-4o"
        [judges.over]
        provider = "bedrock"
        model = "amazon.nova-premier-v1:0"
        region = "us-east-1"
        [judges.own]
        model = "gpt-4o"
        base_url = "http://127.0.0.1:9/v1"
        [judges.unheard]
        model = "gpt-77"
        """
    )
    ran = run_here("check", "--json", cwd=tmp_path, environment=KEYS)
    findings = {
        finding["part"]: finding
        for finding in json.loads(ran.out)["findings"]
        if finding["part"].startswith("judges.")
    }
    assert {part: finding["ok"] for part, finding in findings.items()} == {
        "judges.main": True,
        "judges.over": True,
        "judges.own": False,
        "judges.unheard": True,
    }
    assert findings["judges.main"]["advice"] == "gpt-4o at openai ends on 2027-01-14; plan its replacement"
    assert "ended on 2026-09-14" in findings["judges.over"]["advice"]
    assert "nobody answers" in findings["judges.own"]["advice"]
    assert "its price is unknown" in findings["judges.unheard"]["advice"]
    plain = run_here("check", cwd=tmp_path, environment=KEYS).out.splitlines()
    assert "WARN   judges.main: gpt-4o at openai ends on 2027-01-14; plan its replacement" in plain
    assert any(line.startswith("WARN   judges.over: ") for line in plain)
