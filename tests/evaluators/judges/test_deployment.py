"""Announced deployments."""

from __future__ import annotations

import json

import pytest

from evaluators.judges.deployment import Deployment, lines_of, read_deployment
from perturbations.records.errors import RecordError
from tests.builders import at


def test_judge_and_model_are_all_that_is_required() -> None:
    deployment = read_deployment(b'{"judge": "main", "model": "m-2", "details": null, "unknown": 1}')
    assert (deployment.judge, deployment.model, deployment.occurred_at, deployment.details) == (
        "main",
        "m-2",
        None,
        {},
    )
    assert deployment.deployment_id is None


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "null"),
        (b"\xff", "not_utf8"),
        (b"[", "not_json"),
        (b'{"judge": "main"}', "invalid"),
        (b'{"judge": "", "model": "m"}', "invalid"),
        (b'{"judge": "main", "model": "m", "occurred_at": "9999-01-01T00:00:00Z"}', "invalid"),
        (b'{"schema_version": 2, "judge": "main", "model": "m"}', "unknown_schema_version"),
    ],
)
def test_what_is_no_deployment(raw: bytes | None, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_deployment(raw)
    assert caught.value.reason == reason


def test_the_same_announcement_has_the_same_id_and_a_given_one_stays() -> None:
    record = {"judge": "main", "model": "m-2", "occurred_at": "2026-11-30T12:00:00Z"}
    again = record | {"occurred_at": "2026-11-30T12:00:00+00:00", "details": {"by": "x"}}
    announced, other = (read_deployment(json.dumps(r).encode()).with_id() for r in (record, again))
    assert announced.deployment_id == other.deployment_id
    later = read_deployment(json.dumps(record | {"occurred_at": "2026-11-30T13:00:00Z"}).encode()).with_id()
    assert later.deployment_id != announced.deployment_id
    assert Deployment(deployment_id="d-1", judge="main", model="m").with_id().deployment_id == "d-1"
    assert Deployment(deployment_id="", judge="main", model="m").with_id().deployment_id


def test_an_id_is_all_that_is_added() -> None:
    deployment = Deployment(
        schema_version=1,
        judge="main",
        provider="openai",
        model="m-2",
        served_model="m-2-0401",
        previous_model="m-1",
        occurred_at=at("2026-11-30T12:00:00Z"),
        details={"by": ["x", 1.5, None]},
    )
    assert deployment.model_fields_set | {"deployment_id"} == set(Deployment.model_fields)
    assert deployment.with_id().model_dump(exclude={"deployment_id"}) == deployment.model_dump(
        exclude={"deployment_id"}
    )


def test_models_behind_one_judge_are_one_line() -> None:
    noon, later = at("2026-11-30T12:00:00Z"), at("2026-11-30T14:30:00+01:00")
    first = Deployment(judge="main", model="b", previous_model="a", occurred_at=noon)
    second = Deployment(judge="main", model="c", occurred_at=later)
    other = Deployment(judge="other", model="d", occurred_at=later)
    lines = lines_of([second, other, first])
    assert lines["a"] == lines["b"] == lines["c"]
    assert lines["d"] != lines["a"]
    moved = Deployment(judge="other", model="b", occurred_at=later)
    assert lines_of([moved, first])["b"] == lines_of([first, moved])["b"] == lines["d"]
