"""The imports between the package's modules, the ones inside of functions too."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType

from tests.architecture.trees import CHECKOUT, tree

PACKAGE = "recall_tui"


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """The modules that each module imports, both by dotted names; imports for the type checker alone are left out."""
    modules = {
        ".".join(path.relative_to(CHECKOUT).with_suffix("").parts): path for path in (CHECKOUT / PACKAGE).rglob("*.py")
    }
    return MappingProxyType(
        {
            name: frozenset(_imported(tree(path.relative_to(CHECKOUT).as_posix()), modules.keys()) - {name})
            for name, path in modules.items()
        }
    )


def cycle(graph: Mapping[str, frozenset[str]]) -> list[str]:
    """Some cycle of the graph, its first name at both ends; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _imported(module: ast.Module, known: Collection[str]) -> set[str]:
    found: set[str] = set()
    for node in _at_run_time(module):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == PACKAGE:
            for one in node.names:
                names = (f"{node.module}.{one.name}", node.module, f"{node.module}.__init__")
                found.add(next(name for name in names if name in known))
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names if one.name in known}
    return found


def _at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield from (other, *_at_run_time(other))
        else:
            yield child
            yield from _at_run_time(child)
