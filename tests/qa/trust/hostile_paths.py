"""Commands that are given a name, and a look at everything around the memory."""

from __future__ import annotations

from pathlib import Path

from recall_tui.workbench import Workbench
from tests.qa.trust.calling import called

NAMED: tuple[tuple[str, ...], ...] = (
    ("remember", "the cache is fast", "--topic", "{}"),
    ("wiki", "stub", "{}", "--description", "d", "--category", "concept"),
    ("wiki", "append", "{}", "--source", "{}", "--body", "words"), ("wiki", "rename", "evil", "{}"),
    ("wiki", "merge", "{}", "evil"), ("distill", "--apply", "all", "--to", "{}"), ("show", "--", "{}"),
    ("read", "--", "{}"), ("archive", "--session", "{}"), ("archive", "--", "{}"), ("checkpoint", "--", "{}"),
    ("forget", "--yes", "--", "{}"), ("summarize", "--yes", "--", "{}"), ("add", "--", "{}"), ("import", "--", "{}"),
    ("review", "accept", "--", "{}"), ("synthesize", "--scope", "{}", "--yes"), ("search", "--ranked", "--", "{}"),
)  # fmt: skip
"""Commands that are given a name."""


def outside(around: Path, bench: Workbench) -> dict[str, tuple[int, bytes]]:
    """Everything around the memory and the state folder as it is now."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in around.rglob("*"):
        if not any(path.is_relative_to(own) for own in (bench.layout.root, bench.store.environment.state)):
            held = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = (path.lstat().st_mode, held)
    return found


def run(bench: Workbench, *words: str, stdin: bytes = b"") -> int:
    """Call a command on the memory; whatever it answers, it was no accident."""
    came = called(bench.store.environment, "--root", str(bench.layout.root), *words, stdin=stdin)
    assert "Traceback" not in came.err, (words, came.err[-2000:])
    return came.code
