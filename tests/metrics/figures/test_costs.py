"""Tokens and dollars by model and row, on numbers small enough to add up by hand."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from evaluators.evaluation import Judge, Usage
from evaluators.price import Price
from metrics.figures.costs import Costs, costs
from streams.cli.offline.costs import costs as command
from tests.builders import make_evaluation

PRICE = Price(input=2.5, cached=1.25, output=10)
FULL = Usage(input_tokens=10_000, cached_tokens=8_000, output_tokens=900, reasoning_tokens=700)


def evaluation(transcript: str, row: str, usage: Usage, model: str = "a"):  # type: ignore[no-untyped-def]
    attribute = "original" if row == "robustness" else "male"
    judge = Judge(provider="openai", model=model)
    return make_evaluation(transcript, row, attribute).model_copy(update={"judge": judge, "usage": usage})


def test_sums_by_model_and_row() -> None:
    evaluations = [
        evaluation("c-1", "agent_gender", FULL),
        evaluation("c-2", "agent_gender", Usage()),
        evaluation("c-1", "robustness", FULL, model="b"),
    ]
    sums = costs([*evaluations, evaluations[0]], lambda judge: PRICE if judge.model == "a" else None)
    assert sums == [
        Costs(
            model="a", row="agent_gender", evaluations=2, input_tokens=10_000, cached_tokens=8_000,
            output_tokens=900, reasoning_tokens=700, dollars=0.024, unknown=1,
        ),
        Costs(
            model="b", row="robustness", evaluations=1, input_tokens=10_000, cached_tokens=8_000,
            output_tokens=900, reasoning_tokens=700, dollars=None, unknown=1,
        ),
    ]  # fmt: skip


def test_the_command_takes_prices_from_the_configuration(tmp_path: Path) -> None:
    file, config = tmp_path / "evaluations.jsonl", tmp_path / "evenhand.toml"
    file.write_text(evaluation("c-1", "agent_gender", FULL).model_dump_json() + "\nnot json\n")
    config.write_text('[judges.main]\nmodel = "a"\nprice = { input = 2.5, cached = 1.25, output = 10.0 }\n')
    run = CliRunner().invoke(command, [str(file), "--json", "--config", str(config)])
    assert run.exit_code == 1  # for the line that is no evaluation
    [of_model] = json.loads(run.stdout)["costs"]
    assert (of_model["dollars"], of_model["unknown"]) == (0.024, 0)
    table = CliRunner().invoke(command, [str(file)])
    assert "unknown" in table.stdout
