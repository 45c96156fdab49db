"""The checkout's modules as syntax trees, each parsed once."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


@cache
def tree(name: str) -> ast.Module:
    """The module at a path from the checkout."""
    return ast.parse((CHECKOUT / name).read_text(encoding="utf-8"))
