"""What is depended on is said, with bounds that can be tried, and nothing reaches for a network by itself."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.processes import CHECKOUT
from tests.qa.trust import supply

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_IMPORT_ALL = """
import sys
sys.path.insert(0, {checkout!r})
from tests.qa.trust.no_network import forbid
forbid({told!r})
import importlib, pkgutil, recall_tui
for one in pkgutil.walk_packages(recall_tui.__path__, "recall_tui."):
    importlib.import_module(one.name)
"""


class WithoutTypes(ast.NodeTransformer):
    """Leave out what stands under `if TYPE_CHECKING:`: it is for the type checker, and never runs."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node.orelse
        return self.generic_visit(node)


def test_every_dependency_has_a_lower_bound() -> None:
    unbound = [one for one in PROJECT["dependencies"] if ">=" not in one]
    unbound += [
        one for name in ("llm", "semantic") for one in PROJECT["optional-dependencies"][name] if ">=" not in one
    ]
    assert not unbound
    assert {"click", "tantivy", "numpy", "httpx"} <= supply.lowest().keys()


@pytest.mark.long
def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    imported: set[str] = set()
    for path in (CHECKOUT / "recall_tui").rglob("*.py"):
        for node in ast.walk(WithoutTypes().visit(ast.parse(path.read_text(encoding="utf-8")))):
            if isinstance(node, ast.Import):
                imported |= {one.name.partition(".")[0] for one in node.names}
            if isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    of_others = {name for name in imported - sys.stdlib_module_names if name[0] != "_"} - {"recall_tui"}
    owners = packages_distributions()
    used = {owners.get(name, [name])[0].lower().replace("_", "-") for name in of_others}
    extras = PROJECT["optional-dependencies"]
    said = {one.partition(">")[0] for one in (*PROJECT["dependencies"], *extras["llm"], *extras["semantic"])}
    assert used == said


@pytest.mark.long
def test_importing_every_module_reaches_for_nothing(tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = _IMPORT_ALL.format(checkout=str(CHECKOUT), told=str(told))
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not told.exists()


@pytest.mark.parametrize(
    "reaching",
    [
        "socket.create_connection(('192.0.2.1', 80), timeout=1)",
        "socket.getaddrinfo('example.test', 80)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
    ],
)
def test_who_does_reach_is_refused_and_noted(tmp_path: Path, reaching: str) -> None:
    told = tmp_path / "told"
    script = f"import sys, socket; sys.path.insert(0, {str(CHECKOUT)!r})\n"
    script += f"from tests.qa.trust.no_network import forbid\nforbid({str(told)!r})\n{reaching}"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True)
    assert done.returncode == 1 and "no network here" in done.stderr
    assert told.read_text(encoding="utf-8").startswith("socket.")


def test_this_machine_is_not_the_network(tmp_path: Path) -> None:
    script = f"import sys, socket; sys.path.insert(0, {str(CHECKOUT)!r})\n"
    script += f"from tests.qa.trust.no_network import forbid\nforbid({str(tmp_path / 'told')!r})\n"
    script += "one = socket.create_server(('127.0.0.1', 0)); socket.create_connection(one.getsockname())"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
