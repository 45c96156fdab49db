"""Summaries of sessions as a person or an agent writes them, and what a synthesis makes of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from recall_tui.features.summaries import synthesize
from recall_tui.features.summaries.synthesize import SynthesisDraft
from recall_tui.storage.memory_context import Store
from recall_tui.workbench import Workbench


def id_of(number: int) -> str:
    """A session's id that differs from others in its first letters."""
    return f"{number:08d}-aaaa-4bbb-8ccc-{number:012d}"


def summary(store: Store, number: int, *points: str, day: str = "", context: str = "We worked.") -> Path:
    """A summary in the published shape, dated by a line of its context."""
    assert store.layout.summaries is not None
    path = store.layout.summaries / f"{id_of(number)}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    day = day or f"2026-02-{number:02d}"
    lines = "".join(f"- {point}\n" for point in points)
    path.write_text(f"# Session {number}\n\n## Context\n\n{context} It was {day}.\n\n## Tracking Points\n\n{lines}")
    return path


def synthesised(bench: Workbench, *, full: bool = False) -> SynthesisDraft:
    """Synthesise and write it."""
    made = synthesize.draft_master(bench.store, full=full)
    bench.apply(lambda _: synthesize.plan_master(bench.store, made))
    synthesize.record_written(bench.store, made)
    return made


def lines_of(bench: Workbench) -> list[str]:
    """The master's list lines."""
    return [line for line in bench.layout.master.read_text().splitlines() if line.startswith("- ")]


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, as somebody."""
    who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", str(folder), *who, *words], capture_output=True, text=True, check=True)
    return done.stdout
