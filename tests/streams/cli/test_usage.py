"""Wrong usage ends with 2 and one sentence; every command's help shows an example and comes at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from streams.cli.commands import COMMANDS
from tests.streams.command import run, run_here

EVERY = [*([name] for name in COMMANDS), ["judge", "serve"]]


def joined(words: list[str]) -> str:
    return " ".join(words)


WRONG: dict[str, list[str]] = {
    "bogus": ["bogus"],
    "--config x perturb f": ["--config"],
    "perturb": ["evenhand perturb: ", "FILE"],
    "perturb f --bogus": ["evenhand perturb: ", "--bogus"],
    "perturb f g": ["evenhand perturb: ", "g"],
    "perturb f --seed x": ["--seed", "integer"],
    "perturb f --row": ["--row"],
    "perturb f --row agent_height": ["agent_height", "allowed: agent_gender", "robustness"],
    "perturb f --attribute tall": ["tall", "allowed: ", "female"],
    "perturb f --row politeness --attribute male": ["male", "allowed: neutral, original, polite"],
    "perturb f --row robustness --attribute male": ["male", "original"],
    "perturb none.jsonl": ["can't read none.jsonl", "No such file"],
    "perturb .": ["can't read .", "directory"],
    "perturb none.jsonl --config none.toml": ["can't read none.toml", "No such file"],
    "evaluate": ["evenhand evaluate: ", "FILE"],
    "evaluate none.jsonl --row agent_height": ["agent_height", "allowed: agent_gender"],
    "evaluate none.jsonl": ["no judge 'main'", "[judges.main]", "known: none"],
    "evaluate none.jsonl --judge x": ["no judge 'x'", "[judges.x]"],
    "measure": ["evenhand measure: ", "EVALUATIONS.jsonl"],
    "measure none.jsonl": ["can't read none.jsonl", "No such file"],
    "schema bogus": ["bogus", "transcript", "evaluation"],
    "store": ["evenhand store: ", "--path"],
    "store --path s --port 0": ["--port", "65535"],
    "ingest": ["evenhand ingest: ", "FILE"],
    "ingest none.jsonl": ["can't read none.jsonl", "No such file"],
    "ingest .": ["can't read .", "directory"],
    "exporter --port 99999": ["--port", "65535"],
    "worker --agents judge": ["no such agent: judge", "allowed: sample, perturb, evaluate, pair"],
    "worker --agents ,": ["none given", "allowed: sample"],
    "judge serve --profile none.toml": ["none.toml", "No such file"],
    "judge bogus": ["evenhand judge: ", "bogus"],
    "demo --judge x": ["--judge", "[judges.x]"],
    "demo --port -1": ["--port"],
    "topics extra": ["evenhand topics: ", "extra"],
}


@pytest.mark.parametrize("command", WRONG)
def test_wrong_usage_ends_with_two_and_one_sentence(command: str, tmp_path: Path) -> None:
    ran = run_here(*command.split(), cwd=tmp_path)
    assert ran.code == 2, ran.err
    assert ran.said("evenhand", *WRONG[command]), ran.err
    assert ran.out == ""


def test_the_same_in_a_process_of_its_own(tmp_path: Path) -> None:
    for arguments in (["bogus"], ["perturb", "f", "--bogus"]):
        ran = run(*arguments, cwd=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert ran.said("evenhand", arguments[-1])


@pytest.mark.parametrize("group", [[], ["judge"]], ids=joined)
def test_a_group_without_a_command_shows_its_help(group: list[str], tmp_path: Path) -> None:
    ran = run_here(*group, cwd=tmp_path)
    assert ran.code == 2
    assert ran.err.startswith(f"Usage: {joined(['evenhand', *group])}")
    assert ran.out == ""


@pytest.mark.parametrize("command", EVERY, ids=joined)
def test_the_help_of_every_command_shows_an_example(command: list[str], tmp_path: Path) -> None:
    ran = run_here(*command, "--help", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    name = joined(["evenhand", *command])
    assert ran.out.startswith(f"Usage: {name}")
    _, said, examples = " ".join(ran.out.split()).partition("Example")
    assert said
    assert name in examples


def test_the_main_help_names_every_command_and_imports_none_of_the_heavy_parts(tmp_path: Path) -> None:
    began = time.monotonic()
    ran = run("--help", cwd=tmp_path, environment={"PYTHONPROFILEIMPORTTIME": "1"})
    assert time.monotonic() - began < 5
    assert ran.code == 0
    assert [name for name in COMMANDS if f"  {name} " not in ran.out] == []
    assert "evenhand demo" in ran.out
    imported = {line.rpartition("|")[2].strip() for line in ran.err.splitlines()}
    assert "streams.cli.commands" in imported
    heavy = {"click", "faust", "chdb", "pydantic", "openai", "scipy", "clickhouse_connect", "aiokafka"}
    assert imported & heavy == set()


def test_the_version(tmp_path: Path) -> None:
    ran = run_here("--version", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.startswith("evenhand")
