"""Imports go one way: perturbations <- evaluators <- metrics <- streams."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHAIN = ("perturbations", "evaluators", "metrics", "streams")


def imported_packages(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("package", CHAIN)
def test_a_package_imports_only_packages_to_its_left(package: str) -> None:
    to_the_right = set(CHAIN[CHAIN.index(package) + 1 :])
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    wrong = {str(file.relative_to(ROOT)): bad for file in files if (bad := imported_packages(file) & to_the_right)}
    assert wrong == {}


@pytest.mark.parametrize("package", CHAIN)
def test_init_files_hold_a_docstring_and_nothing_else(package: str) -> None:
    for file in (ROOT / package).rglob("__init__.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        assert all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in body), file
