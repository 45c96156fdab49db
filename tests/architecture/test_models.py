"""There is one way to a model, and it is looked at what it costs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.trees import tree

PACKAGE = Path(__file__).resolve().parents[2] / "recall_tui"
NAMES = [path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))]
PROVIDERS = {path.stem for path in (PACKAGE / "llm" / "providers").glob("[!_]*.py")}
"""The modules of `llm` that make up providers."""
ASKS = {
    "llm/client.py": "the one way: within limits, and with a row in the ledger before each call",
    "host_plugin.py": "asks the host's own model, which the host pays for and counts",
}


def _tree(name: str) -> ast.Module:
    return tree(f"recall_tui/{name}")


def imported(tree: ast.AST) -> set[str]:
    """The modules of this package's `llm` that are imported, by name."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    parts = (name.split(".") for name in found)
    return {one for part in parts if part[:2] == ["recall_tui", "llm"] for one in part[2:]}


def asks(tree: ast.AST) -> list[int]:
    """The lines that take hold of a `complete` of something, to call it now or later."""
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "complete"]


@pytest.mark.long
def test_only_the_choice_knows_the_providers() -> None:
    found = {name for name in NAMES if imported(_tree(name)) & {"command", "http_model"}}
    assert found == {"llm/selection.py"}
    outside = {name for name in NAMES if imported(_tree(name)) & PROVIDERS and not name.startswith("llm/")}
    assert outside == set()


@pytest.mark.long
def test_only_the_choice_of_an_embedder_knows_those_that_there_are() -> None:
    makers = {"local", "served", "plugin", "dialect"}
    found = {name for name in NAMES if imported(_tree(name)) & makers}
    assert found == {"llm/embedders/selection.py", "llm/embedders/served.py"}, "the dialect is the server's own"


@pytest.mark.long
def test_only_the_two_ways_to_a_server_write_rows_of_calls() -> None:
    begun = {
        name
        for name in NAMES
        for node in ast.walk(_tree(name))
        if isinstance(node, ast.Attribute) and node.attr == "begin" and "ledger" in ast.unparse(node.value)
    }
    sent = {name for name in NAMES if "http_client" in imported(_tree(name))}
    assert begun == {"llm/client.py", "llm/embedders/served.py"} and sent == {
        "llm/providers/http_model.py",
        "llm/embedders/served.py",
    }


@pytest.mark.long
def test_only_the_one_way_makes_a_chosen_models_calls() -> None:
    found = {name for name in NAMES if asks(_tree(name))}
    assert found == set(ASKS)


@pytest.mark.long
def test_only_the_one_way_and_those_who_name_it_know_the_chosen_model() -> None:
    found = {
        name
        for name in NAMES
        for node in ast.walk(_tree(name))
        if isinstance(node, ast.ImportFrom)
        and node.module == "recall_tui.llm.selection"
        and "select_model" in {one.name for one in node.names}
    }
    known = {"llm/client.py", "features/capture/model_summary.py", "features/health/model_usage.py"}
    assert found == known & found | {"llm/client.py"}


def test_each_way_of_asking_is_seen() -> None:
    assert asks(ast.parse("model.complete('x')")) and asks(ast.parse("partial(model.complete, 'x')"))
    assert imported(ast.parse("from recall_tui.llm.providers import http_model as http")) >= {"http_model"}
    assert imported(ast.parse("import recall_tui.llm.providers.http_model")) >= {"http_model"}
    assert imported(ast.parse("from recall_tui.llm.providers.command import CommandModel")) >= {"command"}
