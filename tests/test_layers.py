"""Imports go one way: perturbations <- evaluators <- metrics <- streams, and within each without a circle."""

import ast
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHAIN = ("perturbations", "evaluators", "metrics", "streams")
LARGEST_FOLDER = 20
MODULES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts): file
    for package in CHAIN
    for file in sorted((ROOT / package).rglob("*.py"))
    if file.name != "__init__.py"
}


def imported_modules(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def room(module: str) -> str:
    """A sub-package as a whole; a file that lies beside the sub-packages for itself."""
    parts = module.split(".")
    return ".".join(parts[:-1]) if len(parts) > 2 else module


@pytest.mark.parametrize("package", CHAIN)
def test_a_package_imports_only_packages_to_its_left(package: str) -> None:
    to_the_right = set(CHAIN[CHAIN.index(package) + 1 :])
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    imported = {
        str(file.relative_to(ROOT)): {name.partition(".")[0] for name in imported_modules(file)} for file in files
    }
    assert {file: bad for file, names in imported.items() if (bad := names & to_the_right)} == {}


def test_neither_files_nor_sub_packages_import_each_other_in_a_circle() -> None:
    imports = {module: imported_modules(file) & MODULES.keys() for module, file in MODULES.items()}
    tuple(TopologicalSorter(imports).static_order())
    rooms: dict[str, set[str]] = {}
    for module, names in imports.items():
        rooms.setdefault(room(module), set()).update({room(name) for name in names} - {room(module)})
    tuple(TopologicalSorter(rooms).static_order())


def test_no_folder_holds_more_files_than_a_reader_can_take_in() -> None:
    for top in (*CHAIN, "tests", "benchmarks"):
        files = Counter(file.parent for file in (ROOT / top).rglob("*.py") if file.name != "__init__.py")
        assert {str(folder): number for folder, number in files.items() if number > LARGEST_FOLDER} == {}


@pytest.mark.parametrize("package", CHAIN)
def test_init_files_hold_a_docstring_that_says_what_lives_there_and_what_may_not(package: str) -> None:
    for file in (ROOT / package).rglob("__init__.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        assert all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in tree.body), file
        lives_here, _, not_here = (ast.get_docstring(tree) or "").partition("\n\n")
        assert lives_here, file
        assert not_here.startswith("Not here: "), file
