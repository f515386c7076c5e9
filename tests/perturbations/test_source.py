"""The data files of the packages, and when they are read."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import importlib, pkgutil, sys
opened = []
sys.addaudithook(lambda event, arguments: opened.append(str(arguments[0])) if event == "open" else None)
import evaluators, perturbations
for package in (perturbations, evaluators):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
print([name for name in opened if name.endswith((".csv", ".txt", ".toml")) and "site-packages" not in name])
"""


def test_no_data_file_is_read_at_import() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout.strip() == "[]"
