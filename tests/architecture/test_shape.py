"""Every module says what it is for, is about one thing, and keeps its hands off the terminal and the environment."""

from __future__ import annotations

import ast
import tomllib
from importlib.metadata import PackageNotFoundError, version

import pytest

import recall_tui
from tests.architecture.trees import CHECKOUT, tree

MODULES = sorted((CHECKOUT / "recall_tui").rglob("*.py"))
NAMES = [path.relative_to(CHECKOUT).as_posix() for path in MODULES]
MAX_LINES = 500
MAX_METHODS = 25
EDGES = (
    "recall_tui/cli/main.py",
    "recall_tui/cli/hook_process.py",
    "recall_tui/tui/start.py",
    "recall_tui/workbench.py",
)
"""Where the clock, the environment and the home folder are read."""


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(tree(name))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_module_is_about_one_thing(name: str) -> None:
    assert len((CHECKOUT / name).read_text(encoding="utf-8").splitlines()) <= MAX_LINES
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ClassDef):
            methods = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
            assert len(methods) <= MAX_METHODS, f"{name}: {node.name} has {len(methods)} methods"


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("recall_tui/tui/")])
def test_only_output_prints(name: str) -> None:
    if name == "recall_tui/cli/output.py":
        return
    for node in ast.walk(tree(name)):
        is_print = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
        is_echo = isinstance(node, ast.Attribute) and node.attr in ("echo", "secho", "echo_via_pager")
        is_stream = isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr") and _of(node, "sys")
        assert not (is_print or is_echo or is_stream), f"{name}:{getattr(node, 'lineno', 0)} prints"


@pytest.mark.parametrize("name", [name for name in NAMES if name not in EDGES])
def test_the_clock_the_environment_and_the_home_come_in_as_arguments(name: str) -> None:
    for node in ast.walk(tree(name)):
        if not isinstance(node, ast.Attribute):
            continue
        is_env = node.attr in ("environ", "getenv") and _of(node, "os")
        is_home = node.attr in ("home", "cwd") and _of(node, "Path")
        is_clock = node.attr in ("now", "today", "utcnow") and (_of(node, "datetime") or _of(node, "date"))
        assert not (is_env or is_home or is_clock), f"{name}:{node.lineno} reads {node.attr}"


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
