"""Start-up: what is asked most is answered before anything heavy is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version

import pytest
from click.testing import CliRunner

from streams.cli.commands import COMMANDS, main_help, quick_answer
from streams.cli.root import evenhand
from streams.version import VERSION
from tests.streams.command import ROOT

HEAVY = ("faust", "aiokafka", "openai", "anthropic", "boto3", "botocore", "chdb", "scipy.stats")
CLI = ("click", "pydantic", "rich", "numpy", "aiohttp", "clickhouse_connect")


def modules_after(statement: str) -> set[str]:
    """What a fresh interpreter has imported once it has run the statement."""
    program = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)), file=sys.__stdout__)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, text=True)
    return set(json.loads(ran.stdout.splitlines()[-1]))


def test_the_help_is_what_click_makes_of_the_same_table() -> None:
    by_click = CliRunner().invoke(evenhand, ["--help"], prog_name="evenhand", env={"COLUMNS": "80"})
    assert main_help() + "\n" == by_click.output


def test_the_version_is_what_click_prints_and_that_of_the_distribution() -> None:
    by_click = CliRunner().invoke(evenhand, ["--version"], prog_name="evenhand")
    assert f"{quick_answer(['--version'])}\n" == by_click.output
    assert version("evenhand") == VERSION


@pytest.mark.parametrize(
    "arguments", [[], ["measure", "--help"], ["--help", "measure"], ["--version", "-h"], ["bogus"]]
)
def test_everything_else_is_left_to_click(arguments: list[str]) -> None:
    assert quick_answer(arguments) is None


def test_a_narrow_terminal_gets_the_help_from_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert quick_answer(["--help"]) is None
    monkeypatch.setenv("COLUMNS", "200")
    assert quick_answer(["--help"]) == main_help()


def test_help_and_version_import_neither_click_nor_anything_heavy() -> None:
    for option in ("--help", "--version"):
        imported = modules_after(
            f"sys.argv = ['evenhand', {option!r}]\n"
            "from streams.__main__ import main\n"
            "try:\n    main()\nexcept SystemExit:\n    pass"
        )
        assert imported & {*HEAVY, *CLI} == set()


def test_the_command_lines_root_imports_neither_faust_nor_an_sdk() -> None:
    assert modules_after("import streams.cli.root") & {*HEAVY, *CLI} == {"click"}


@pytest.mark.parametrize(
    "command",
    sorted(set(COMMANDS) - {"demo", "worker", "exporter", "store", "judge", "check", "migrate", "alarms", "ingest"}),
)
def test_a_command_on_files_needs_no_part_of_the_stream(command: str) -> None:
    folder, _ = COMMANDS[command]
    imported = modules_after(f"import streams.cli.{folder}.{command}")
    assert imported & {*HEAVY, "aiohttp", "clickhouse_connect", "prometheus_client"} == set()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_no_command_imports_faust_or_an_sdk_before_it_runs(command: str) -> None:
    folder, _ = COMMANDS[command]
    imported = modules_after(f"import streams.cli.{folder}.{command}")
    assert imported & {"faust", "openai", "anthropic", "boto3", "botocore", "chdb", "scipy.stats"} == set()
