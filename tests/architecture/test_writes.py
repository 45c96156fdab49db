"""One module writes a person's files; every other place that touches a file is named here, with its reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.trees import tree

PACKAGE = Path(__file__).resolve().parents[2] / "recall_tui"
ALLOWED = {
    "storage/files/atomic.py": "the primitives that the journal writes with",
    "storage/files/compare_and_swap.py": "the journal's way past an editor that saves at the same moment",
    "storage/journal/commits.py": "the one writer of a person's files",
    "storage/journal/folder.py": "where the journal keeps its records, in the state folder",
    "storage/journal/record.py": "the journal's own records, in the state folder",
    "storage/files/lock.py": "the lock files, in the state folder and in the memory",
    "storage/journal/memory_locks.py": "what killed processes left, as the journal's part",
    "storage/files/replaced_files.py": "files that gave their place away, as the journal's part",
    "storage/state/backup_ring.py": "the daily backups, in the state folder",
    "storage/archives/retained.py": "retained transcripts, in the state folder",
    "storage/state/hook_log.py": "what hooks decided, in the state folder",
    "storage/state/live_sessions.py": "which sessions wait to be captured, in the state folder",
    "storage/state/search_log.py": "what was searched for, in the state folder",
    "storage/state/processed_transcripts.py": "which transcripts hold nothing new, in the state folder",
    "storage/state/own_lines.py": "digests of lines that were written, in the state folder",
    "storage/state/hint_log.py": "what sessions were shown, in the state folder",
    "storage/files/staging.py": "files being made, in the state folder",
    "features/capture/archive_draft.py": "the body of an archive in the making, in the state folder's spool",
    "features/summaries/git_state.py": "a repository's own files, opened for reading alone and past every link",
    "index/": "the index is a cache in the state folder",
    "files.py": "the one way to open a file for reading",
    "cli/hook_watchdog.py": "the pipe to the process that watches a hook",
    "mcp/stdio.py": "the client's pipe, and the null device",
    "cli/output.py": "a closed stream is replaced by the null device; a hook's answer",
    "testing.py": "a temporary copy of the samples, for a package's own tests",
    "tui/screens/first_run/demo.py": "the throw-away copy of the sample memory",
}
_ALWAYS = {
    "write_text", "write_bytes", "unlink", "rename", "mkdir", "makedirs", "rmdir", "touch", "symlink_to",
    "hardlink_to", "rmtree", "copytree", "copyfile", "copy2", "removedirs",
}  # fmt: skip
_OF_OS = {"replace", "remove", "link", "symlink", "write", "ftruncate", "open"}


def writes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The calls in `tree` that may change a file: line and name."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id="open"):
                if _mode(node, 1) & set("wax+"):
                    yield node.lineno, "open"
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in _OF_OS:
                yield node.lineno, f"os.{name}"
            case ast.Attribute(attr="open"):
                if _mode(node, 0) & set("wax+"):
                    yield node.lineno, ".open"
            case ast.Attribute(attr="replace") if len(node.args) == 1 and not node.keywords:
                yield node.lineno, ".replace"
            case ast.Attribute(attr="truncate") if not node.keywords:
                yield node.lineno, ".truncate"
            case ast.Attribute(attr=name) if name in _ALWAYS:
                yield node.lineno, f".{name}"


def _mode(call: ast.Call, position: int) -> set[str]:
    values = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] + call.args[position : position + 1]
    return set().union(*(set(v.value) for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)))


def _is_allowed(name: str) -> bool:
    return any(name.startswith(allowed) if allowed.endswith("/") else name == allowed for allowed in ALLOWED)


def test_only_the_journal_writes_a_persons_files() -> None:
    found = [
        f"{name}:{line} {call}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not _is_allowed(name := path.relative_to(PACKAGE).as_posix())
        for line, call in writes(tree(f"recall_tui/{name}"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "open('a', 'w')", "open('a', mode='ab')", "p.open('x')", "p.open('r+')", "p.write_text('')",
        "p.write_bytes(b'')", "p.unlink()", "p.rename(q)", "p.replace(q)", "os.replace(a, b)", "p.mkdir()",
        "shutil.rmtree(p)", "f.truncate()",
        "os.open(p, os.O_CREAT)",
    ],
)  # fmt: skip
def test_each_way_of_writing_is_seen(line: str) -> None:
    assert list(writes(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    ["open('a')", "open('a', 'rb')", "p.open()", "p.open('rb')", "s.replace('a', 'b')", "d.replace(tzinfo=None)"],
)
def test_reading_is_not_taken_for_writing(line: str) -> None:
    assert not list(writes(ast.parse(line)))
