"""What measuring loads: a command of a second has no second for what it never calls."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module", ["metrics.figures.figures", "metrics.figures.measure", "metrics.figures.system_comparison"]
)
def test_figures_are_made_without_scipys_distributions(module: str) -> None:
    program = f"import sys, {module}; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
