"""Every command works in every layout, at the places of its design, and never changes which layout a folder is."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES, detect_layout
from tests.cli.conftest import Recall
from tests.makers import bench_at, session_id_of, transcript

pytestmark = pytest.mark.long

TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("Edit", "/home/u/api/src/token_refresh.py"),
    ("assistant", "We decided to use a lock around the refresh. Next step: write a test for expiry."),
]
LONG = "# Memory\n\n## Debugging\n\n" + "".join(f"- note {n} about the debugger\n" for n in range(40))


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_every_command_works_and_the_layout_stays(
    recall: Recall, environment: Environment, tmp_path: Path, name: str
) -> None:
    bench = bench_at(environment, name)
    path = transcript(environment, 1, TALK)
    root = f"--root={bench.store.root}"
    bench.layout.memory_file.write_text(LONG)

    def ran(*words: str, code: int = 0) -> str:
        said = recall(root, *words)
        assert said.code == code, (words, said.out, said.err)
        found = detect_layout(bench.store.root)
        assert found is not None and found[0] == name, words
        return said.out

    ran("init", str(bench.store.root))
    ran("archive", str(path))
    ran("archive", "--session", session_id_of(1))
    ran("checkpoint", str(transcript(environment, 2, TALK)))
    ran("archive", "--all-unarchived")
    ran("summarize", session_id_of(1), "--dry-run")
    ran("summarize", session_id_of(1), "--yes")
    assert f"layout      {name}" in ran("status")
    ran("dashboard")
    assert "token refresh race" in ran("consume", "--no-clear")
    assert "use a lock" in ran("synthesize", "--dry-run")
    ran("synthesize", "--yes")
    assert "use a lock" in ran("show", "master")
    ran("recall")
    ran("synthesize", "--full")
    assert "debugger" in ran("search", "--ranked", "debugger note")
    ran("index", "status")
    ran("sync")
    ran("distill")
    assert "Debugging" in ran("distill", "--apply", "all", "--dry-run")
    ran("distill", "--apply", "all")
    assert bench.layout.topics.joinpath("debugging.md").exists()
    ran("undo")
    ran("redo")
    ran("remember", "The staging database is called heron")
    ran("remember", "Use the test key", "--topic", "staging")
    assert bench.layout.topics.joinpath("staging.md").exists()
    assert "heron" in ran("show", "memory")
    assert "token refresh" in ran("show", "1")
    ran("list")
    ran("config", "set", "ephemeral.max_entries", "7")
    assert "7" in ran("config", "get", "ephemeral.max_entries")
    ran("promote")
    everything = tmp_path / "everything.json"
    ran("export", "--all", "--to", str(everything))
    assert "heron" in ran("export", "memory", "--format", "html")
    assert "heron" in ran("export", "--search", "staging database heron")
    ran("import", str(everything), "--yes")
    ran("doctor")
    ran("doctor", "--fix")
    ran("undo", "--list")
    ran("consume", "--clear")
    assert ran("consume") == ""
    ran("redact", "--check")
    ran("redact", "--yes")
    ran("forget", "1", "--dry-run")
    ran("forget", session_id_of(1), "--yes")
    assert "forgotten on" in ran("archive", str(path))
    ran("forget", session_id_of(1), "--undo")
    ran("archive", str(path))
