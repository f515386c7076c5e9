"""The variant on its topic: the fields that `perturb` prints, with what an evaluator needs beside them."""

from __future__ import annotations

import json

import pytest

from perturbations.records.errors import RecordError
from perturbations.records.reading import read_record
from perturbations.records.variant import Variant, VariantMessage
from tests.builders import make_transcript
from tests.variants import make_arms


def test_a_message_is_flat_as_json_and_comes_back_whole() -> None:
    for message in make_arms(make_transcript(), rows=["agent_gender", "past_performance"], seed=7, repeats=2):
        raw = message.model_dump_json().encode()
        plain = json.loads(raw)
        assert set(Variant.model_fields) <= set(plain)
        assert {"questions", "judge", "occurred_at", "repeat", "transcript_hash"} <= set(plain)
        assert "variant" not in plain
        assert {name: plain[name] for name in Variant.model_fields} == json.loads(message.variant.model_dump_json())
        assert read_record(VariantMessage, raw) == message


def test_a_message_with_a_field_of_neither_is_refused() -> None:
    [message, *_] = make_arms(make_transcript(), rows=[], seed=7, repeats=1)
    plain = {**json.loads(message.model_dump_json()), "verdict": "yes"}
    with pytest.raises(RecordError, match=r"variant\.verdict"):
        read_record(VariantMessage, json.dumps(plain).encode())
