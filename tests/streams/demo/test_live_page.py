"""The live page: what it is given as the stream goes on, and that it shows no more than titles and figures."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import aiohttp
import pytest

from metrics.alarms.alarms import Alarm
from metrics.clickhouse.client import connect
from metrics.clickhouse.progress import Progress
from metrics.figures.direction import Direction
from metrics.live.favoured import Favoured
from metrics.live.window import WindowFigures
from metrics.verdicts.row_verdict import RowVerdict
from streams.config.settings import settings_of
from streams.demo.live import LiveFigures, live_page
from streams.demo.now import ALARM_SECONDS, Now, NowReader
from streams.demo.progress import Position
from tests.builders import make_transcript
from tests.metrics.made_arms import START, arms_of, judged, stored

SECRET = "xylophone"

ALARM = Alarm(
    alarm_id="a",
    kind="excess",
    row="agent_gender",
    model="m",
    system_id="s",
    epoch="e",
    previous_epoch=None,
    evaluated_at=START,
    transcript_id=SECRET,
    transcripts=1234,
    before=0.04,
    after=0.2,
    log_e_value=10.0,
    alpha=0.001,
)


def position(evaluations: int) -> Position:
    return Position(3, Progress(3, 12, evaluations), 0, 0)


def figures(comparisons: int, **fields: Any) -> WindowFigures:
    return WindowFigures("agent_gender", "m", "e", comparisons, 3, **fields)


def test_what_the_page_gets() -> None:
    live = LiveFigures(["agent_gender", "politeness"], {}, alpha=0.001)
    empty = live.as_json()
    assert [row["title"] for row in empty["rows"]] == ["Agent Gender", "Politeness", "Robustness (repeats)"]
    assert {row["reason"] for row in empty["rows"]} == {"nothing compared yet"}
    assert (empty["alarms"], empty["finished"]) == ([], False)

    verdict = RowVerdict("unknown", "about 70 more transcripts with placebos", 70)
    first = figures(40, cfr=0.1, cfr_interval=(0.05, 0.2), excess=0.06, excess_interval=(0.01, 0.12), verdict=verdict)
    ends = Direction(most="male", most_advantage=0.03, most_interval=(0.01, 0.05), beyond_chance=True)
    most = Favoured("agent_gender", "m", "e", ends, {"male": 0.03, "female": -0.03})
    live.update(Now([first], [most], [ALARM]), position(4), finished=False)
    live.update(Now([first], [most], [ALARM]), position(5), finished=False)
    live.update(Now([figures(80, cfr=0.12)], [], [ALARM]), position(12), finished=True)
    last = live.as_json()
    assert [point["comparisons"] for point in last["history"]["agent_gender"]] == [40, 80]
    assert (last["done"], last["expected"], last["finished"]) == (12, 12, True)
    (alarm,) = last["alarms"]
    assert (alarm["title"], alarm["told"], alarm["transcripts"]) == ("Agent Gender", "beyond noise", 1234)
    assert alarm["evidence"] == "2.2e+4"
    assert SECRET not in json.dumps(last)
    live.update(Now([first], [most]), position(4), finished=False)
    row = live.as_json()["rows"][0]
    assert (row["excess"], row["excess_interval"]) == (0.06, (0.01, 0.12))
    assert row["verdict"] == {
        "word": "unknown",
        "in_words": "can't tell yet",
        "reason": "about 70 more transcripts with placebos",
    }
    assert row["favoured"] == {
        "attribute": "male",
        "value": 0.03,
        "interval": (0.01, 0.05),
        "beyond_chance": True,
    }


async def test_the_page_is_served_and_uses_what_it_gets() -> None:
    live = LiveFigures(["agent_gender"], {}, alpha=0.001)
    async with live_page(live, 0) as address, aiohttp.ClientSession() as session:
        async with session.get(address) as answer:
            page = await answer.text()
        async with session.get(f"{address}live.json") as answer:
            data = await answer.json()
    assert page == files("streams.demo").joinpath("page.html").read_text(encoding="utf-8")
    used = set(re.findall(r"\brow\.([a-z_]+)", page)) - {"row"}
    assert used <= data["rows"][0].keys()
    assert set(re.findall(r"\blive\.([a-z]+)", page)) - {"json"} <= data.keys()
    assert {"verdict", "excess_placebo", "excess_placebo_interval", "favoured"} <= used
    assert "innerHTML" not in page
    # As many heads as cells.
    assert len(re.findall("<th>", page)) == 18


@pytest.mark.parametrize("with_alarms", [False, True])
async def test_now_is_read_from_the_store_alarms_from_time_to_time(store: str, with_alarms: bool) -> None:
    messages = arms_of([make_transcript(f"c-{n:02}") for n in range(30)], ("agent_gender",))
    evaluations = judged(messages, lambda row, attribute, repeat: "nyny" if attribute == "female" else "yyyy")
    clock = [0.0]
    data = {"alarms": {"alpha": 0.05}, "metrics": {"minimum_comparisons": 50}, "clickhouse": {"dsn": store}}
    async with await connect(store) as client:
        await stored(client, messages, evaluations)
        reader = NowReader(client, settings_of(data), lambda: clock[0])
        now = await reader.read(with_alarms=with_alarms)
        assert bool(now.alarms) is with_alarms
        clock[0] += ALARM_SECONDS
        now = await reader.read()
    assert [(alarm.kind, alarm.row) for alarm in now.alarms] == [("excess", "agent_gender")]
    (most,) = now.favoured
    assert (most.direction.most, most.direction.most_advantage) == ("male", 0.5)
    figures = {row_figures.row: row_figures for row_figures in now.figures}
    assert figures["agent_gender"].cfr == figures["agent_gender"].excess == 0.5
    assert figures["agent_gender"].excess_interval is not None
