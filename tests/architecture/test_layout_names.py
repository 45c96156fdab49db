"""A layout's peculiarity is a fact of its design, in `storage/layouts`; nobody else compares names of layouts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import get_args

import pytest

from recall_tui.domain import LayoutName
from tests.architecture.trees import CHECKOUT, tree

NAMES = frozenset(get_args(LayoutName))
MODULES = sorted(path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "recall_tui").rglob("*.py"))
DESIGNS = "recall_tui/storage/layouts/"
OWNERS = ("layout", "design")
"""What a variable or an attribute is called, if only at its end, whose `name` is a layout's."""


def comparisons(module: ast.Module) -> Iterator[int]:
    """The lines on which the name of a layout is held against one of the five, or looked up in a table."""
    constants = {
        target.id: statement.value
        for statement in module.body
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    typed = _typed_names(module)
    for node in ast.walk(module):
        asked, against = _operands(node)
        if any(_is_layout_name(one, typed) for one in asked) and any(_names_some(one, constants) for one in against):
            yield getattr(node, "lineno", 0)


def _operands(node: ast.AST) -> tuple[list[ast.expr], list[ast.AST]]:
    """What is compared, and what with."""
    match node:
        case ast.Compare():
            sides = [node.left, *node.comparators]
            return sides, [*sides]
        case ast.Match():
            return [node.subject], [case.pattern for case in node.cases]
        case ast.Subscript():
            return [node.slice], [node.value]
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]):
            return [key], [table]
    return [], []


def _is_layout_name(node: ast.expr, typed: frozenset[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr="name"):
            return owner.endswith(OWNERS)
        case ast.Attribute(attr=word) | ast.Name(id=word):
            return word in ("layout", "layout_name") or (isinstance(node, ast.Name) and word in typed)
    return False


def _names_some(node: ast.AST, constants: Mapping[str, ast.expr]) -> bool:
    """Whether it, or the constant that it is, has one of the five names in it; all five tell none from another."""
    if isinstance(node, ast.Name):
        node = constants.get(node.id, node)
    named = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)} & NAMES
    return bool(named) and named != NAMES


def _typed_names(module: ast.Module) -> frozenset[str]:
    """The variables and arguments that are said to be the name of a layout."""
    found = set()
    for node in ast.walk(module):
        match node:
            case ast.arg(arg=word, annotation=ast.expr() as kind):
                pass
            case ast.AnnAssign(target=ast.Name(id=word), annotation=kind):
                pass
            case _:
                continue
        if any(isinstance(one, ast.Name) and one.id == "LayoutName" for one in ast.walk(kind)):
            found.add(word)
    return frozenset(found)


@pytest.mark.long
def test_only_designs_know_layouts_by_name() -> None:
    found = [f"{name}:{line}" for name in MODULES if not name.startswith(DESIGNS) for line in comparisons(tree(name))]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        'store.layout.name == "user"',
        '"project" != layout.name',
        'bench.layout.name in ("user", "claude-project")',
        "self._layout.name not in AGENTS",
        'layout.design.name == "entity"',
        'layout_name == "entity"',
        'is_home = layout is not None and layout != "user"',
        'def f(name: LayoutName | None) -> bool: return name == "user"',
        'match layout.name:\n    case "user" | "project": pass',
        '{"user": 1}[layout.name]',
        '{"user": 1}.get(layout.name, 2)',
    ],
)
def test_a_comparison_is_found(line: str) -> None:
    assert list(comparisons(ast.parse(f'AGENTS = ("user", "claude-project")\n{line}')))


@pytest.mark.parametrize(
    "line", ['scope == "user"', "memory.layout != layout.name", "layout in ALL", 'facts["layout"] = layout.name']
)
def test_other_comparisons_are_none(line: str) -> None:
    assert not list(comparisons(ast.parse(f"ALL = {sorted(NAMES)}\n{line}")))
