"""`evenhand schema`: JSON Schemas that hold for the records that evenhand reads and writes, and for no others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from evaluators.judges.deployment import Deployment
from metrics.pairs.pairing import pair_evaluations
from perturbations.rows import ROWS
from tests.builders import at, make_evaluation
from tests.real_transcripts import real_transcripts
from tests.streams.command import run_here
from tests.streams.json_schema import faults
from tests.variants import make_variants

NAMES = ("transcript", "variant", "evaluation", "pair", "deployment")


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    ran = run_here("schema", cwd=tmp_path_factory.mktemp("schema"))
    assert (ran.code, ran.err) == (0, "")
    return dict(json.loads(ran.out))


def plain(record: BaseModel) -> Any:
    return json.loads(record.model_dump_json())


def records() -> dict[str, list[Any]]:
    transcripts = real_transcripts()
    noon = at("2026-11-30T12:00:00Z")
    evaluations = [
        make_evaluation("c-1", "agent_gender", arm, answers, evaluated_at=noon, occurred_at=noon, epoch="e")
        for arm, answers in (("male", "yn-a"), ("female", "nnya"))
    ]
    evaluations += [make_evaluation("c-1", outcome="refused", reason="content_filter")]
    return {
        "transcript": [plain(transcript) for transcript in transcripts],
        "variant": [plain(v) for t in transcripts[::16] for v in make_variants(t, ROWS, seed=7)],
        "evaluation": [plain(evaluation.with_ids()) for evaluation in evaluations],
        "pair": [plain(pair) for pair in pair_evaluations(evaluations)],
        "deployment": [plain(Deployment(judge="main", model="m", occurred_at=noon, details={"by": "x"}).with_id())],
    }


def test_each_record_alone_is_what_all_together_have(schemas: dict[str, Any], tmp_path: Path) -> None:
    assert tuple(schemas) == NAMES
    for name in NAMES:
        assert json.loads(run_here("schema", name, cwd=tmp_path).out) == schemas[name]


@pytest.mark.parametrize("name", NAMES)
def test_real_records_hold(name: str, schemas: dict[str, Any]) -> None:
    schema, instances = schemas[name], records()[name]
    assert instances
    assert schema["type"] == "object"
    assert [fault for record in instances for fault in faults(schema, record, schema)] == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("transcript", {"transcript_id": 7}),
        ("transcript", {"turns": None}),
        ("transcript", {"turns": [{"speaker": "nobody", "text": "x"}]}),
        ("variant", {"status": "good"}),
        ("variant", {"edits": [{"turn": "0"}]}),
        ("evaluation", {"outcome": "fine"}),
        ("evaluation", {"answers": [{"question_id": "q", "answer": "maybe"}]}),
        ("pair", {"comparisons": -1}),
        ("pair", {"kind": None}),
        ("pair", {"more": 1}),
    ],
)
def test_bad_records_do_not(name: str, change: dict[str, Any], schemas: dict[str, Any]) -> None:
    record = records()[name][0] | change
    (place,) = change
    found_faults = faults(schemas[name], record, schemas[name])
    assert found_faults
    assert all(fault.startswith(f"$.{place}") for fault in found_faults)


def test_what_a_transcript_must_have_is_all_that_is_required(schemas: dict[str, Any]) -> None:
    assert schemas["transcript"]["required"] == ["transcript_id", "turns"]
    least = {"transcript_id": "c-1", "turns": [{"speaker": "agent", "text": "hi"}], "unknown": 1}
    assert faults(schemas["transcript"], least, schemas["transcript"]) == []
    assert set(schemas["evaluation"]["required"]) == {"transcript_id", "row", "attribute", "outcome"}
