"""The documents of the house say what is there: the tree of the README, the walks of CONTRIBUTING, the hooks."""

import ast
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("perturbations", "evaluators", "metrics", "streams")
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    *(f"docs/{n}.md" for n in ("judges", "rows", "statistics")),
)


def first_line(package: Path) -> str:
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ").removesuffix(".")


def tree() -> str:
    """Every package and sub-package with the first line of its docstring, as the README shows them."""
    lines = []
    for top in PACKAGES:
        packages = sorted(file.parent for file in (ROOT / top).rglob("__init__.py"))
        for package in packages:
            name = "  " * (len(package.relative_to(ROOT).parts) - 1) + package.name + "/"
            lines.append(f"{name:<18}{first_line(package)}")
    return "\n".join(lines)


def test_the_tree_of_the_readme_is_the_tree_on_disk() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"```\n{tree()}\n```" in readme, f"README.md, 'Where things are', should show:\n{tree()}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_that_a_document_names_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    folder = (ROOT / document).parent
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link}
    assert [link for link in links if link and not (folder / link).exists()] == []
    named = set(
        re.findall(r"`((?:perturbations|evaluators|metrics|streams|tests|benchmarks|docs)/[\w./-]*[\w/])`", text)
    )
    missing = [path for path in sorted(named) if not (ROOT / path).exists() and not re.search(r"NAME|ROW", path)]
    assert missing == []


def test_no_walk_is_missing_from_the_guide_for_contributors() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    headings = set(re.findall(r"^### (.+)$", guide, re.MULTILINE))
    assert {"A style row", "An identity row", "A provider", "A stage", "A figure"} <= headings


def test_the_hooks_run_tools_of_this_environment() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"repo: (\S+)", hooks) == ["local"]
    entries = re.findall(r"entry: \.venv/bin/(\S+)", hooks)
    assert len(entries) == hooks.count("- id: ") == hooks.count("entry: ")
    beside = Path(sys.executable).parent
    assert [tool for tool in entries if not shutil.which(tool, path=str(beside))] == []
    assert [path for path in re.findall(r"tests/\S+\.py", hooks) if not (ROOT / path).exists()] == []
