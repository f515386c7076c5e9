"""The perturb stage with an LLM that rewrites: messages, statuses and counters as with rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry

from metrics.prometheus.counters import Counters
from perturbations.records.variant import VariantMessage
from streams.agents.perturb import PerturbStage
from streams.agents.sample import Sample
from streams.config.settings import settings_of
from streams.config.variant_writing import variant_maker
from streams.runtime.stage import Incoming
from streams.worker.stages import arms_wanted
from tests.builders import make_transcript
from tests.evaluators.builders import NOON
from tests.evaluators.fake_openai import FakeServer, Received, Reply, completion, serving


class Kept:
    """A sink that is the assertion."""

    def __init__(self) -> None:
        self.messages: list[VariantMessage] = []

    async def add(self, messages: Sequence[VariantMessage]) -> None:
        self.messages += messages


def choose(received: Received) -> Reply:
    task = received.body["messages"][1]["content"]
    good = "politeness to polite" in task
    text = (
        "Hello, this is Michael. How may I help you?" if good else "Hello, this is Michael. How can I help 2 of you?"
    )
    return Reply(body=completion(json.dumps({"applicable": True, "turns": [{"turn": 0, "text": text}], "added": []})))


@pytest.mark.parametrize("rewriter", ["rules", "llm"])
async def test_every_arm_is_stored_counted_and_sent(rewriter: str) -> None:
    registry, sink = CollectorRegistry(), Kept()
    async with serving(FakeServer(choose=choose)) as server:
        judge = {"model": "m", "base_url": f"{server.url}/v1"}
        settings = settings_of(
            {
                "default_judge": "llm",
                "judges": {"llm": judge},
                "perturbations": {"rewriter": rewriter},
                "sampling": {"placebo_rate": 0},
            }
        )
        async with variant_maker(settings, {}, patient=True) as maker:
            wanted = replace(arms_wanted(settings), rows=("politeness", "agent_profile"), rubric=())
            stage = PerturbStage(Counters(registry), wanted=wanted, maker=maker, sink=sink, concurrency=1)
            sample = Sample(transcript=make_transcript(), received_at=NOON)
            record = sample.model_dump_json().encode()
            sent = await stage.handle(Incoming(b"c-1", record, "samples", 0, 0, NOON))
        asked = len(server.received)
    messages = [VariantMessage.model_validate_json(each.value or b"") for each in sent]
    assert messages == sink.messages
    fates = {(m.variant.row, m.variant.attribute): (m.variant.status, m.variant.reason) for m in messages}
    if rewriter == "llm":
        assert fates["politeness", "polite"] == ("accepted", None)
        assert fates["politeness", "neutral"] == ("rejected", "numbers")
        assert asked == 5
        labels = {"row": "politeness", "outcome": "rejected"}
        assert registry.get_sample_value("evenhand_variants_total", labels) == 1
    else:
        assert asked == 0
    assert fates["agent_profile", "trainee"] == ("accepted", None)
    assert {m.materials for m in messages} == {maker.version}
