"""Which files of the package a parser runs: what was counted of it holds as long as none of them has changed.

A file belongs to it when a function of it ran for a seed or for one of some changed seeds, or when such a file imports
it; files that only the way to the parser loads do not.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from types import FrameType

from tests.qa.trust.mutating import mutated
from tests.qa.trust.parsers import Parser

CHECKOUT = Path(__file__).resolve().parents[3]
_PACKAGE = f"{CHECKOUT / 'recall_tui'}/"
_CHANGED = 100
"""Changed seeds beside the seeds themselves."""
_FILE = "code.json"


def write_reached(parser: Parser, folder: Path) -> None:
    """Write into the folder what the parser runs, with a digest of each file."""
    found = {name: _digest(name) for name in sorted(_with_imports(_run(parser)))}
    (folder / _FILE).write_text(json.dumps(found, indent=1), encoding="utf-8")


def is_unchanged(folder: Path) -> bool:
    """Whether every file that the parser ran when it was counted is what it was."""
    try:
        stored: Mapping[str, str] = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(stored) and all(_digest(name) == digest for name, digest in stored.items())


def _run(parser: Parser) -> set[str]:
    ran: set[str] = set()

    def see(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            ran.add(frame.f_code.co_filename)

    texts = [*parser.seeds, *(mutated(parser.seeds, Random(number)) for number in range(_CHANGED))]
    for text in texts:
        sys.setprofile(see)
        with suppress(Exception):
            parser.read(text)
        sys.setprofile(None)
    return {name.removeprefix(f"{CHECKOUT}/") for name in ran if name.startswith(_PACKAGE)}


def _with_imports(names: set[str]) -> set[str]:
    found = set(names)
    for name in names:
        for node in ast.walk(ast.parse((CHECKOUT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("recall_tui"):
                base = (node.module or "").replace(".", "/")
                found |= {f"{base}.py", *(f"{base}/{one.name}.py" for one in node.names)}
    return {name for name in found if (CHECKOUT / name).is_file()}


def _digest(name: str) -> str:
    try:
        return hashlib.sha256((CHECKOUT / name).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""
