"""Alarms and deployments in the store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from evaluators.judges.deployment import Deployment
from metrics.alarms.alarms import AlarmRules, alarms_of
from metrics.alarms.series import epochs_of
from metrics.clickhouse.alarm_rows import keep_alarms, stored_alarms, stored_deployments, write_deployments
from metrics.clickhouse.client import StoreClient, connect
from tests.metrics.alarms.test_state import START, flips


@pytest.fixture
async def client(store: str) -> AsyncIterator[StoreClient]:
    async with await connect(store) as client:
        yield client


async def test_alarms_come_back_as_they_were_and_go_when_they_are_no_longer_given(client: StoreClient) -> None:
    transcripts = flips(0, 300) + flips(5, 60, first=300, epoch="e2")
    alarms = alarms_of(epochs_of(transcripts), AlarmRules(alpha=0.05))
    assert {alarm.kind for alarm in alarms} == {"drift", "excess"}
    for _ in range(2):
        await keep_alarms(client, alarms)
        assert await stored_alarms(client) == alarms
    assert await client.rows("SELECT count() FROM alarms") == [(2,)]
    rows = await client.rows(
        "SELECT kind, row, model, epoch, previous_epoch, raised_at, transcripts, evidence, before, after "
        "FROM alarms FINAL WHERE kind = 'drift'"
    )
    drift = next(alarm for alarm in alarms if alarm.kind == "drift")
    evidence = (drift.evaluated_at, drift.transcripts, drift.log_e_value, drift.before, drift.after)
    assert rows == [("drift", "agent_gender", "m", "e2", "e1", *evidence)]
    await keep_alarms(client, [drift])
    assert await stored_alarms(client) == [drift]
    await keep_alarms(client, [drift.model_copy(update={"transcripts": 7})])
    assert [alarm.transcripts for alarm in await stored_alarms(client)] == [7]
    await keep_alarms(client, alarms)
    assert await stored_alarms(client) == alarms


async def test_deployments_come_back_once_in_order(client: StoreClient) -> None:
    later = Deployment(judge="main", model="b", previous_model="a", occurred_at=START + timedelta(hours=1))
    first = Deployment(
        deployment_id="d-1", judge="main", model="a", provider="openai", occurred_at=START, details={"by": ["ä", 1]}
    )
    for _ in range(2):
        assert await write_deployments(client, [later, first]) == []
    assert await stored_deployments(client) == [first, later.with_id()]
