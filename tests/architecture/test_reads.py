"""One function opens files for reading; every other place that opens one is named here, with its reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.trees import tree

PACKAGE = Path(__file__).resolve().parents[2] / "recall_tui"
ALLOWED = {
    "files.py": "the one way to open a file for reading",
    "resources.py": "templates of this package",
    "features/summaries/git_state.py": "files of a repository, without a link on the way and bounded",
    "llm/providers/processes.py": "what the kernel says of processes",
    "storage/state/live_sessions.py": "what the kernel says of a process; which sessions wait, written",
    "storage/files/lock.py": "the lock file, made",
    "storage/files/atomic.py": "files that are written",
    "storage/journal/record.py": "copies that are written, in the state folder",
    "storage/state/backup_ring.py": "backups that are written",
    "storage/archives/retained.py": "transcripts that are retained",
    "storage/state/hook_log.py": "lines that are added",
    "storage/state/search_log.py": "lines that are added",
    "storage/files/staging.py": "files being made",
    "features/capture/archive_draft.py": "the body of an archive in the making",
    "index/catalogue.py": "the catalogue, made",
    "index/vectors/file.py": "vectors, written",
    "cli/output.py": "the null device",
    "mcp/stdio.py": "the null device",
}
_OF_OS = {"open", "fdopen"}
_OPENING = {"read_bytes", "read_text"}
_NO_FILES = {"run", "ctx.obj", "self", "self.find", "Workbench"}
_OF_MODULES = {"atomic", "files", "gzip", "tarfile", "zipfile"}


def reads(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The calls in `tree` that open a file by themselves: line and name."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id="open"):
                yield node.lineno, "open"
            case ast.Attribute(value=ast.Name(id="os" | "io" as module), attr=name) if name in _OF_OS:
                yield node.lineno, f"{module}.{name}"
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _OF_MODULES:
                if module not in ("atomic", "files") and name == "open":
                    yield node.lineno, f"{module}.{name}"
            case ast.Attribute(attr="open") if _is_mode(node):
                yield node.lineno, ".open"
            case ast.Attribute(attr=name) if name in _OPENING:
                yield node.lineno, f".{name}"


def _is_mode(call: ast.Call) -> bool:
    """Whether it may be a file that is opened: memories, too, are opened without a word."""
    if not call.args and not call.keywords and isinstance(call.func, ast.Attribute):
        return ast.unparse(call.func.value) not in _NO_FILES
    values = [keyword.value for keyword in call.keywords if keyword.arg in ("mode", "encoding")] + call.args[:1]
    return any(isinstance(value, ast.Constant) and isinstance(value.value, str) for value in values)


def test_only_one_function_opens_files_to_read_them() -> None:
    found = [
        f"{name}:{line} {call}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if (name := path.relative_to(PACKAGE).as_posix()) not in ALLOWED
        for line, call in reads(tree(f"recall_tui/{name}"))
    ]
    assert found == []


def test_nothing_is_named_that_opens_nothing() -> None:
    assert [name for name in ALLOWED if not list(reads(tree(f"recall_tui/{name}")))] == []


@pytest.mark.parametrize(
    "line",
    [
        "open('a')", "open('a', 'rb')", "p.open('rb')", "p.open()", "p.open(encoding='utf-8')", "p.read_bytes()",
        "p.read_text()",
        "(a / b).read_bytes()", "os.open(p, os.O_RDONLY)", "io.open(p)", "gzip.open(p)",
    ],
)  # fmt: skip
def test_each_way_of_reading_is_seen(line: str) -> None:
    assert list(reads(ast.parse(line)))


@pytest.mark.parametrize("line", ["atomic.read_bytes(p)", "files.opened(p)", "Workbench.open(root)", "run.open()"])
def test_the_one_function_and_what_opens_no_file_are_not(line: str) -> None:
    assert not list(reads(ast.parse(line)))
