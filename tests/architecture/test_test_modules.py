"""Test modules stand alone: what several of them share lies in a conftest or in a module beside them."""

from __future__ import annotations

import ast

from tests.architecture.trees import CHECKOUT, tree


def _is_test_module(dotted: str) -> bool:
    return dotted.startswith("tests.") and any(part.startswith("test_") for part in dotted.split("."))


def _imported(module: ast.Module) -> set[str]:
    """Return the dotted names that a module imports, and for `from a import b` both `a` and `a.b`."""
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            if node.module.partition(".")[0] == "tests":
                found.update(f"{node.module}.{alias.name}" for alias in node.names if _is_file(node.module, alias.name))
    return found


def _is_file(package: str, name: str) -> bool:
    return (CHECKOUT / package.replace(".", "/") / f"{name}.py").is_file()


def test_nothing_is_imported_from_a_test_module() -> None:
    offenders = []
    for path in sorted((CHECKOUT / "tests").rglob("*.py")):
        name = path.relative_to(CHECKOUT).as_posix()
        offenders += [f"{name} imports {one}" for one in sorted(_imported(tree(name))) if _is_test_module(one)]
    assert offenders == [], "move what is shared into a conftest or a module without test_ in its name"


def test_every_way_of_importing_a_test_module_is_found() -> None:
    for text in (
        "from tests.architecture.test_rooms import PACKAGE",
        "from tests.architecture import test_rooms",
        "import tests.architecture.test_rooms",
        "def f():\n    from tests.architecture.test_rooms import PACKAGE",
    ):
        assert any(map(_is_test_module, _imported(ast.parse(text)))), text
    # A fixture may be called so, too.
    assert not any(map(_is_test_module, _imported(ast.parse("from tests.conftest import test_data"))))
