"""Alarms and deployments in the store: written, read back, withdrawn where the pairs no longer give them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from evaluators.judges.deployment import Deployment
from metrics.alarms.alarms import Alarm
from metrics.clickhouse.client import StoreClient
from metrics.clickhouse.errors import BadRow
from metrics.clickhouse.insert import insert_records
from metrics.clickhouse.rows import StoredTable
from metrics.pairs.dedup import EPOCH_ZERO

_ALARM_COLUMNS = (
    "alarm_id", "kind", "row", "provider", "model", "system_id", "epoch", "previous_epoch", "raised_at",
    "transcript_id", "transcripts", "evidence", "before", "after", "verdict", "details",
)  # fmt: skip

_DEPLOYMENT_COLUMNS = (
    "deployment_id", "judge", "provider", "model", "served_model", "previous_model", "occurred_at", "details",
)  # fmt: skip


async def keep_alarms(client: StoreClient, alarms: Sequence[Alarm]) -> None:
    """Make the stored alarms these: what is new or different is written, what is no longer given is withdrawn.

    Raises the store's errors.
    """
    stored = {alarm.alarm_id: alarm for alarm in await stored_alarms(client)}
    given = {alarm.alarm_id: alarm for alarm in alarms}
    changed = [alarm for key, alarm in given.items() if stored.get(key) != alarm]
    gone = [alarm for key, alarm in stored.items() if key not in given]
    await insert_records(client, _alarms_table(withdrawn=False), changed)
    await insert_records(client, _alarms_table(withdrawn=True), gone)


async def stored_alarms(client: StoreClient) -> list[Alarm]:
    """The alarms that stand, in the order in which they were given. Raises the store's errors."""
    rows = await client.rows(
        "SELECT details FROM alarms FINAL WHERE NOT withdrawn ORDER BY raised_at, transcript_id, kind, row"
    )
    return [Alarm.model_validate_json(details) for (details,) in rows]


async def write_deployments(client: StoreClient, deployments: Sequence[Deployment]) -> list[BadRow]:
    """Store announced deployments; gives those that can't be stored."""
    return await insert_records(client, StoredTable("deployments", _DEPLOYMENT_COLUMNS, _deployment_row), deployments)


async def stored_deployments(client: StoreClient) -> list[Deployment]:
    """Every announced deployment, in the order of its time. Raises the store's errors."""
    columns = ", ".join(_DEPLOYMENT_COLUMNS)
    rows = await client.rows(f"SELECT {columns} FROM deployments FINAL ORDER BY occurred_at, deployment_id")
    return [
        Deployment.model_validate(dict(zip(_DEPLOYMENT_COLUMNS, row, strict=True)) | {"details": json.loads(row[-1])})
        for row in rows
    ]


def _alarms_table(*, withdrawn: bool) -> StoredTable[Alarm]:
    return StoredTable("alarms", (*_ALARM_COLUMNS, "withdrawn"), lambda alarm: (*_alarm_row(alarm), withdrawn))


def _alarm_row(alarm: Alarm) -> Sequence[Any]:
    return (
        alarm.alarm_id, alarm.kind, alarm.row, alarm.provider, alarm.model, alarm.system_id, alarm.epoch,
        alarm.previous_epoch, alarm.evaluated_at, alarm.transcript_id, alarm.transcripts, alarm.log_e_value,
        alarm.before, alarm.after, None if alarm.attribution is None else alarm.attribution.verdict,
        alarm.model_dump_json(),
    )  # fmt: skip


def _deployment_row(deployment: Deployment) -> Sequence[Any]:
    d = deployment.with_id()
    details = json.dumps(d.details, ensure_ascii=True, sort_keys=True)
    moment = d.occurred_at or EPOCH_ZERO
    return (d.deployment_id, d.judge, d.provider, d.model, d.served_model, d.previous_model, moment, details)
