"""Every module says what it is for, is about one thing, and keeps its hands off the terminal and the environment."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

import pytest

import recall_tui
from tests.architecture.trees import CHECKOUT, tree

MODULES = sorted((CHECKOUT / "recall_tui").rglob("*.py"))
NAMES = [path.relative_to(CHECKOUT).as_posix() for path in MODULES]
MAX_METHODS = 25
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
EDGES = (
    "recall_tui/cli/main.py",
    "recall_tui/cli/hook_process.py",
    "recall_tui/tui/start.py",
    "recall_tui/workbench.py",
)
"""Where the clock, the environment and the home folder are read."""
PRINTING = {
    "recall_tui/cli/output.py": "what a person or a program asked for",
    "recall_tui/index/ingest/session_worker.py": "to the process of ours that started it, through a pipe",
}


def test_every_module_says_what_it_is_for() -> None:
    assert [name for name in NAMES if not ast.get_docstring(tree(name))] == []


def test_no_class_hides_another() -> None:
    wide = [
        f"{name}: {node.name}"
        for name in NAMES
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ClassDef) and sum(map(_is_method, node.body)) > MAX_METHODS
    ]
    assert wide == []


def test_only_output_prints() -> None:
    names = [name for name in NAMES if not name.startswith("recall_tui/tui/") and name not in PRINTING]
    assert [at for name in names for at in _found(name, _prints)] == []


def test_the_clock_the_environment_and_the_home_come_in_as_arguments() -> None:
    assert [at for name in NAMES if name not in EDGES for at in _found(name, _reads_surroundings)] == []


def _found(name: str, is_one: Callable[[ast.AST], bool]) -> list[str]:
    return [f"{name}:{getattr(node, 'lineno', 0)}" for node in ast.walk(tree(name)) if is_one(node)]


def _prints(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "print"
    if not isinstance(node, ast.Attribute):
        return False
    return node.attr in ("echo", "secho", "echo_via_pager") or (node.attr in ("stdout", "stderr") and _of(node, "sys"))


def _reads_surroundings(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute):
        return False
    is_env = node.attr in ("environ", "getenv") and _of(node, "os")
    is_home = node.attr in ("home", "cwd") and _of(node, "Path")
    is_clock = node.attr in ("now", "today", "utcnow") and (_of(node, "datetime") or _of(node, "date"))
    return is_env or is_home or is_clock


def _of(node: ast.Attribute, owner: str) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == owner


def test_the_version_is_written_in_one_place() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "recall_tui/__init__.py"


def test_the_installed_version_is_the_one_in_the_code() -> None:
    try:
        installed = version("recall-tui")
    except PackageNotFoundError:
        pytest.skip("the package runs from its checkout and is not installed")
    assert installed == recall_tui.__version__


def _is_method(node: ast.stmt) -> bool:
    """Whether it is one of a class's methods; the constructor, which other classes have generated, is not counted."""
    return isinstance(node, FUNCTIONS) and node.name != "__init__"
