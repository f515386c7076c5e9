"""The installed distribution: generic package names must be ours alone, and the data must travel in the wheel."""

import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("perturbations", "evaluators", "metrics", "streams")


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_owns_our_package_names(package: str) -> None:
    assert set(packages_distributions().get(package, [])) <= {"evenhand"}


def test_the_wheel_carries_every_file_that_a_command_reads(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("evenhand-*.whl")
    carried = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        str(file.relative_to(ROOT))
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert wanted - carried == set()
