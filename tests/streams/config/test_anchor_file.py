"""Anchors through the stream: configured, asked along with samples, stored, and heard when something drifts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from evaluators.evaluation import Judge
from metrics.alarms.attribution import Attribution
from metrics.clickhouse.client import connect
from metrics.clickhouse.stored_records import write_evaluations
from metrics.pairs.pairing import is_anchor
from metrics.prometheus.counters import Counters
from perturbations.materials import own_materials
from perturbations.planning.anchors import FIRST_ROUND
from perturbations.records.variant import VariantMessage
from perturbations.variant_maker import VariantMaker
from streams.agents.perturb import PerturbStage
from streams.agents.sample import Sample
from streams.config.anchor_file import anchors_of
from streams.config.errors import SettingsError
from streams.config.settings import Settings, settings_of
from streams.export.alarm_reader import AlarmReader, read_and_keep
from streams.kafka.topics import SAMPLES
from streams.runtime.stage import Incoming
from streams.worker.stages import arms_wanted
from tests.builders import make_evaluation, make_transcript
from tests.metrics.made_arms import START, arms_of, judged, stored


def settings(file: Path | None, share: float = 1.0) -> Settings:
    anchors = {"share": share} | ({} if file is None else {"file": str(file)})
    return settings_of({"anchors": anchors, "judges": {"main": {"model": "m", "base_url": "http://x/v1"}}})


class Kept:
    """A sink that holds what it is given."""

    def __init__(self) -> None:
        self.messages: list[VariantMessage] = []

    async def add(self, messages: Sequence[VariantMessage]) -> None:
        self.messages += messages


async def perturbed(settings: Settings, *transcript_ids: str) -> tuple[list[VariantMessage], list[VariantMessage]]:
    """What the stage sends for these transcripts, and what it stores."""
    sink = Kept()
    stage = PerturbStage(
        Counters(CollectorRegistry()),
        wanted=replace(arms_wanted(settings), rows=["agent_gender"], rubric=()),
        maker=VariantMaker(own_materials()),
        sink=sink,
        concurrency=1,
    )
    sent: list[VariantMessage] = []
    for transcript_id in transcript_ids:
        sample = Sample(transcript=make_transcript(transcript_id), received_at=START)
        value = sample.model_dump_json().encode()
        incoming = Incoming(key=None, value=value, topic=SAMPLES, partition=0, offset=0, timestamp=START)
        sent += [VariantMessage.model_validate_json(out.value or b"") for out in await stage.handle(incoming)]
    return sent, sink.messages


def anchor_file(directory: Path, count: int = 3) -> Path:
    file = directory / "anchors.jsonl"
    file.write_text("".join(make_transcript(f"a-{n}").model_dump_json() + "\n" for n in range(count)))
    return file


async def test_an_anchor_goes_along_with_the_sample_and_is_no_arm_of_it(tmp_path: Path) -> None:
    sent, kept = await perturbed(settings(anchor_file(tmp_path)), "c-1", "c-2", "c-1")
    rounds = [message for message in sent if message.repeat >= FIRST_ROUND]
    assert len(rounds) == 3
    assert rounds[0] == rounds[2]
    assert rounds[0].repeat != rounds[1].repeat
    assert {message.judge for message in rounds} == {"main"}
    assert all(message.variant.transcript_id.startswith("anchor:a-") for message in rounds)
    # The rubric's questions are asked about anchors too.
    assert all(len(message.questions) == 30 for message in rounds)
    assert kept == [message for message in sent if message.repeat < FIRST_ROUND]


@pytest.mark.parametrize(("configured", "share"), [(False, 1.0), (True, 0.0)])
async def test_without_a_file_or_a_share_there_are_none(configured: bool, share: float, tmp_path: Path) -> None:
    sent, kept = await perturbed(settings(anchor_file(tmp_path) if configured else None, share), "c-1")
    assert sent == kept


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "can't read"),
        ("", "holds no transcript"),
        ('{"transcript_id": "a"}\n', ":1: invalid: turns"),
        (
            2 * '{"transcript_id": "a", "turns": [{"speaker": "agent", "text": "Hi"}]}\n',
            ":2: a transcript_id that an",
        ),
    ],
)
def test_a_file_that_cannot_be_used(content: str | None, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SettingsError, match=r"anchors\.file") as caught:
        anchors_of(settings(file))
    assert fault in str(caught.value)


@pytest.mark.parametrize(("lasting", "verdict"), [(True, "judge"), (False, "traffic")])
async def test_a_drift_gets_its_verdict_from_the_stored_anchors(lasting: bool, verdict: str, store: str) -> None:
    def letters(epoch: str) -> Callable[[str, str, int], str]:
        return lambda row, attribute, repeat: "nnnn" if (epoch, attribute) == ("e2", "female") else "yyyy"

    reader = AlarmReader(settings_of({"alarms": {"alpha": 0.05, "excess_limit": 0.99}}).alarms)
    rounds = [
        make_evaluation(
            f"anchor:a-{a}",
            answers=("nnyyyyyyyy" if n >= 3 and lasting else "yyyyyyyyyy")[:9] + "yn"[(a + n) % 5 == 0],
            repeat=FIRST_ROUND + n,
            judge=Judge(provider="p", model="m"),
            evaluated_at=START + timedelta(hours=n, minutes=30),
        )
        for a in range(12)
        for n in range(6)
    ]
    async with await connect(store) as client:
        for epoch, first, hours in (("e1", 0, 0), ("e2", 200, 3)):
            messages = arms_of(
                [make_transcript(f"c-{first + n}") for n in range(200 - first // 2)], ("agent_gender",)
            )
            made = judged(messages, letters(epoch), epoch=epoch)
            later = [
                e.model_copy(update={"evaluated_at": (e.evaluated_at or START) + timedelta(hours=hours)})
                for e in made
            ]
            await stored(client, messages, later)
        await write_evaluations(client, rounds)
        assert all(map(is_anchor, rounds))
        (alarm,) = (await read_and_keep(reader, client)).alarms
        assert alarm.kind == "drift"
        assert isinstance(alarm.attribution, Attribution)
        assert (alarm.attribution.verdict, alarm.attribution.anchors) == (verdict, 12)
        assert await client.rows("SELECT verdict FROM alarms FINAL") == [(verdict,)]
