"""A user's own names, cues and headers, from the configuration to the variants."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from perturbations.materials import own_materials
from streams.cli.offline.perturb import perturb
from streams.config.errors import SettingsError
from streams.config.materials_files import materials_of
from streams.config.perturbation_settings import PerturbationSettings
from streams.config.settings import load_settings, settings_of
from tests.builders import make_transcript

CUES = "text,place,channel\nI use a talking clock at my desk.,any,any\n"


def run(folder: Path, configuration: str, *arguments: str) -> Result:
    (folder / "evenhand.toml").write_text(configuration)
    (folder / "calls.jsonl").write_text(make_transcript().model_dump_json() + "\n")
    options = ["--config", str(folder / "evenhand.toml"), str(folder / "calls.jsonl"), *arguments]
    return CliRunner().invoke(perturb, options)


def test_nothing_configured_is_what_comes_with_evenhand() -> None:
    assert materials_of(settings_of({}).perturbations) == own_materials()


def test_own_cues_reach_the_variants(tmp_path: Path) -> None:
    (tmp_path / "cues.csv").write_text(CUES)
    configuration = f'[perturbations]\ndisability_cues = "{tmp_path}/cues.csv"\n'
    result = run(tmp_path, configuration, "--row", "agent_disability", "--attribute", "disabled")
    assert result.exit_code == 0
    (edit,) = json.loads(result.stdout)["edits"]
    assert edit["after"] == "I use a talking clock at my desk."


def test_a_variable_names_a_file_too(tmp_path: Path) -> None:
    settings = load_settings(None, {"EVENHAND_PERTURBATIONS_DISABILITY_CUES": str(tmp_path / "cues.csv")})
    assert settings.perturbations.disability_cues == tmp_path / "cues.csv"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "perturbations.disability_cues: can't read {file}: No such file or directory"),
        (b"\xff\xfe", "perturbations.disability_cues: {file}: byte 0 is not UTF-8"),
        (b"text,place\n", "perturbations: {file}, line 1: the column channel is missing"),
        ((CUES + "How is that?,any,any\n").encode(), "perturbations: {file}, line 3: a text must not ask anything"),
    ],
)
def test_faults_are_told_with_file_and_line(tmp_path: Path, content: bytes | None, fault: str) -> None:
    file = tmp_path / "cues.csv"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SettingsError) as raised:
        materials_of(PerturbationSettings(disability_cues=file))
    assert fault.format(file=file) in str(raised.value)
    result = run(tmp_path, f'[perturbations]\ndisability_cues = "{file}"\n')
    assert result.exit_code == 2
    assert fault.format(file=file) in result.stderr
    assert result.stdout == ""


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"perturbations\.cues: no such key; allowed here: names, "):
        settings_of({"perturbations": {"cues": "x.csv"}})
