"""No docstring of a finished package starts as a riddle, with a word such as "what" or "whether".

Docstrings of modules, classes and functions count, and the strings below constants and fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.trees import CHECKOUT, tree

FINAL_MODULES = (
    "*.py",
    "cli/*.py",
    "domain/**/*.py",
    "llm/**/*.py",
    "storage/**/*.py",
    "text/**/*.py",
    "tui/widgets/**/*.py",
)
"""Globs from `recall_tui/`; a package joins once all of it is rewritten."""
BANNED_FIRST_WORDS = frozenset(("how", "one", "what", "when", "where", "whether", "which", "who", "whose"))


@pytest.mark.long
def test_no_docstring_starts_with_a_banned_word() -> None:
    names = sorted(
        {
            path.relative_to(CHECKOUT).as_posix()
            for pattern in FINAL_MODULES
            for path in (CHECKOUT / "recall_tui").glob(pattern)
        }
    )
    offenders = [
        f"{name}:{line}: {text.splitlines()[0]}"
        for name in names
        for line, text in _docstrings(tree(name))
        if _first_word(text) in BANNED_FIRST_WORDS
    ]
    assert offenders == []


def _docstrings(module: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value.strip()


def _first_word(text: str) -> str:
    return text.split(maxsplit=1)[0].rstrip(".,:;").lower() if text else ""
